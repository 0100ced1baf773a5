import { Glyph } from '../../kit/tier.tsx';

/** How something that was checked stands; a check mark is no tier's shape. */
export type Standing = 'holds' | 'failed' | 'degraded' | 'neutral';

const INKS: Readonly<Record<Standing, string>> = {
  holds: 'text-local',
  failed: 'text-failed',
  degraded: 'text-degraded',
  neutral: 'text-muted',
};

export function Mark({ sign, word }: { sign: Standing; word: string }) {
  return (
    <span className={`inline-flex min-w-0 items-center gap-2 ${INKS[sign]}`}>
      {sign === 'holds' ? (
        <svg className="size-2.5 shrink-0" viewBox="0 0 10 10" aria-hidden="true">
          <path d="M1 5.5 3.8 8.4 9 1.6" fill="none" stroke="currentColor" strokeWidth="1.8" />
        </svg>
      ) : (
        <Glyph sign={sign} />
      )}
      <span className="min-w-0 truncate">{word}</span>
    </span>
  );
}
