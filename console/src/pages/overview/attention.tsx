import type { Overview } from '../../api/types.ts';
import { AppLink } from '../../kit/app-link.tsx';
import { Glyph } from '../../kit/tier.tsx';

/** What will not go on by itself. */
export function Attention({ attention }: { attention: Overview['attention'] }) {
  if (attention.length === 0)
    return <p className="px-4 pt-1 pb-3 text-muted">Nothing. All goes by itself.</p>;
  return (
    <ul className="pb-2">
      {attention.map(({ kind, text, href }) => (
        <li key={`${kind} ${text}`}>
          <AppLink href={href} className="flex min-h-8 items-center gap-2 px-4 py-1 hover:bg-hover">
            <Glyph sign="degraded" />
            <span className="min-w-0">{text}</span>
          </AppLink>
        </li>
      ))}
    </ul>
  );
}
