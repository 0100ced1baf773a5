/** What a name that a request may give as `model` stands for. */
export function kindOf(name: string): 'auto' | 'role' | 'deployment' | 'simulation' {
  if (name === 'auto' || name === 'simulation') return name;
  return name.startsWith('role:') ? 'role' : 'deployment';
}
