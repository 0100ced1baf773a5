import type { Tier } from '../../config/settings.ts';
import type { Style } from '../output.ts';
import type { Cell } from './table.ts';

/** By shape and word as well as by colour, so that nothing rests on colour alone. */
const MARKS: Readonly<Record<Tier | 'failed', { shape: string; style: Style }>> = {
  live: { shape: '●', style: 'cyan' },
  local: { shape: '■', style: 'green' },
  simulation: { shape: '◆', style: 'magenta' },
  failed: { shape: '▲', style: 'red' },
};

/** `● live`, with its colour. */
export function tierCell(tier: Tier | 'failed'): Exclude<Cell, string> {
  const { shape, style } = MARKS[tier];
  return { text: `${shape} ${tier}`, style };
}
