import type { Origin } from '../../api/settings.ts';
import { Time } from '../../kit/values.tsx';

/** Who and when of a change at run time: the server writes `ada, 2026-11-30T14:02:31.204Z`. */
export function authorOf(detail: string | undefined): { author: string; at: string } | null {
  const [, author, at] = /^(.*), (\d{4}-\d\d-\d\dT[\d:.]+Z)$/.exec(detail ?? '') ?? [];
  return author !== undefined && at !== undefined ? { author, at } : null;
}

/** Where a value comes from, in a few words. */
export function OriginText({ origin: { kind, detail } }: { origin: Origin }) {
  const change = kind === 'console' ? authorOf(detail) : null;
  if (change) {
    return (
      <>
        console, <Time at={change.at} /> by {change.author}
      </>
    );
  }
  switch (kind) {
    case 'default':
      return 'default';
    case 'file':
      return <span className="break-words">file {detail}</span>;
    case 'environment':
      return <span className="break-words">env {detail}</span>;
    case 'flag':
      return `flag ${detail ?? ''}`;
    case 'inherited':
      return `inherited from ${detail ?? 'the defaults'}`;
    case 'console':
      return 'console';
  }
}
