import { ANSWERS } from './answers.ts';
import type { Behaviour } from './behaviour.ts';
import { REJECTIONS } from './rejections.ts';
import { WIRE_FAULTS } from './wire-faults.ts';

/**
 * How a model name says what to play:
 *
 *     model = step *( "+" step )                  one step per request; the last one repeats
 *     step  = name [ "/" argument ] [ "@" number "ms" ]     a delay before it begins
 */
export type Step = {
  behaviour: Behaviour;
  argument: string | undefined;
  numbers: readonly number[];
  delayMs: number;
};

const ROWS = Object.entries({ ...ANSWERS, ...REJECTIONS, ...WIRE_FAULTS }).map(([key, behaviour]) => ({
  example: key.replaceAll(/[{}]/g, ''),
  pattern: new RegExp(`^${key.replaceAll(/\{\d+\}/g, '(\\d+)')}$`),
  behaviour,
}));

const STEP = /^(?<name>[^/@]+)(?:\/(?<argument>.*?))?(?:@(?<delay>\d+)ms)?$/;

/** The steps that a model name stands for, or null if a name in it is not in the tables. */
export function parseModel(model: string): Step[] | null {
  const steps = model.split('+').map(parseStep);
  return steps.every((step) => step !== null) ? steps : null;
}

/** Every behaviour with a name that plays it, for lists. */
export function listBehaviours(): { name: string; meaning: string }[] {
  return ROWS.map(({ example, behaviour }) => ({ name: example, meaning: behaviour.meaning }));
}

function parseStep(text: string): Step | null {
  const { name = '', argument, delay = '0' } = STEP.exec(text)?.groups ?? {};
  for (const { pattern, behaviour } of ROWS) {
    const match = pattern.exec(name);
    if (match === null) continue;
    return { behaviour, argument, numbers: match.slice(1).map(Number), delayMs: Number(delay) };
  }
  return null;
}
