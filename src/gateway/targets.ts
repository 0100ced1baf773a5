import type { Settings } from '../config/settings.ts';
import { targetNames } from '../inference/target.ts';

/** What a name that a request may give as `model` stands for. */
export function kindOf(name: string): 'auto' | 'role' | 'deployment' | 'simulation' {
  if (name === 'auto' || name === 'simulation') return name;
  return name.startsWith('role:') ? 'role' : 'deployment';
}

/** The names whose plans have more than one possible candidate: `auto` and the roles. */
export function plannedNames(settings: Settings): string[] {
  return targetNames(settings).filter((name) => name === 'auto' || name.startsWith('role:'));
}
