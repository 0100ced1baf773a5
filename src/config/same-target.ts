import type { Auth, Deployment } from './settings.ts';

/** Whether two definitions ask the same model at the same address as the same user, so that what is known of one holds for the other. */
export function isSameTarget(a: Deployment, b: Deployment): boolean {
  return a.tier === b.tier && a.baseUrl === b.baseUrl && a.model === b.model && isSameAuth(a.auth, b.auth);
}

function isSameAuth(a: Auth, b: Auth): boolean {
  if (a.type === 'api_key' && b.type === 'api_key') {
    return a.header === b.header && a.source === b.source && a.key?.reveal() === b.key?.reveal();
  }
  if (a.type === 'entra' && b.type === 'entra') return a.scope === b.scope;
  return a.type === b.type;
}
