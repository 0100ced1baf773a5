import type { ReactNode } from 'react';
import { ApiError } from '../api/client.ts';
import { Button } from './button.tsx';
import { Glyph } from './tier.tsx';

/** Nothing here yet, and what will bring something. */
export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="flex flex-col gap-2 px-4 py-6">
      <h2 className="font-semibold">{title}</h2>
      {children ? (
        <div className="flex max-w-[72ch] flex-col items-start gap-3 text-muted">{children}</div>
      ) : null}
    </div>
  );
}

/** What happened, why, and the next step. */
export function ErrorState({ title, error, retry }: { title: string; error: unknown; retry?: () => void }) {
  const { code, message, next } = explain(error);
  const passing = !(error instanceof ApiError) || error.status === 0 || error.status >= 429;
  return (
    <div role="alert" className="flex flex-col gap-2 px-4 py-6">
      <h2 className="flex items-center gap-2 font-semibold">
        <Glyph sign="failed" />
        {title}
      </h2>
      <p className="max-w-[72ch]">
        {message} {code ? <code className="font-mono text-muted text-xs">{code}</code> : null}
      </p>
      <p className="max-w-[72ch] text-muted">{next}</p>
      {retry && passing ? (
        <Button className="self-start" onClick={retry}>
          Try again
        </Button>
      ) : null}
    </div>
  );
}

const NEXT: Readonly<Record<string, string>> = {
  unreachable: 'See whether the server runs, and start it with npm start. This page follows by itself.',
  invalid_api_key: 'Open the link that the server printed when it started: it signs this browser in.',
  forbidden: 'Sign in with an admin key. Make one with: npx tiercel keys create --admin.',
  not_ready: 'The database does not answer. The log of the server says why.',
  not_found: 'The address may be cut short, or what it names was archived. Runs lists all that is kept.',
  no_candidate: 'Connect a model in Settings, or change mode and routing there.',
};

/** An error as the three things that a reader needs. Anything that is not the server's own word is a defect here. */
export function explain(error: unknown): { code: string | null; message: string; next: string } {
  if (!(error instanceof ApiError)) {
    const message = error instanceof Error ? error.message : String(error);
    return { code: null, message, next: 'This is a defect of the console. Reload the page to go on.' };
  }
  const { code, message, status, param } = error;
  const next =
    NEXT[code] ??
    (status >= 500
      ? 'Try again; if it stays, the log of the server has the reason.'
      : param
        ? `Change ${param} and try again.`
        : 'Go back and choose again.');
  return { code, message, next };
}

const WIDTHS = ['w-3/5', 'w-2/5', 'w-1/2', 'w-2/3', 'w-1/3'];

/** Rows where rows will be, of the same height, so that nothing moves when they come. */
export function SkeletonRows({ rows = 8 }: { rows?: number }) {
  return (
    <div role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows have nothing else to be told apart by
        <div key={row} className="flex h-13 items-center border-line border-b px-4 wide:h-8">
          <div className={`pulse h-2.5 rounded bg-selected ${WIDTHS[row % WIDTHS.length]}`} />
        </div>
      ))}
    </div>
  );
}
