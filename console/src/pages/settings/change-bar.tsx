import { useEffect } from 'react';
import { Button } from '../../kit/button.tsx';
import { Glyph } from '../../kit/tier.tsx';
import { PlanChanges } from './plan-change.tsx';
import type { Draft } from './use-draft.ts';

/** What waits to be applied, and what it would do; afterwards that it is done, and the way back. */
export function ChangeBar({ draft, known }: { draft: Draft; known: readonly string[] }) {
  const { paths, applied, preview, problems } = draft;
  // It takes room away from the page: the field that is typed in stays in view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what changes its height
  useEffect(() => {
    document.activeElement?.scrollIntoView({ block: 'nearest' });
  }, [preview, problems]);
  if (paths.length === 0 && applied.length === 0) return null;
  return (
    <section
      aria-label="Changes"
      className="max-h-1/2 shrink-0 overflow-y-auto border-line-strong border-t bg-chrome px-4 py-2.5"
    >
      {paths.length > 0 ? <Pending draft={draft} known={known} /> : <Done draft={draft} />}
    </section>
  );
}

function Pending({ draft, known }: { draft: Draft; known: readonly string[] }) {
  const { paths, preview, problems, saving } = draft;
  const loose = problems.get('');
  const ready = preview !== undefined && problems.size === 0;
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        draft.apply();
      }}
    >
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="min-w-0">
          <b className="font-semibold">
            {paths.length === 1 ? '1 change' : `${paths.length} changes`}, not in force yet
          </b>{' '}
          <span className="hidden break-words font-mono text-muted text-xs wide:inline">
            {paths.join(', ')}
          </span>
        </h2>
        <div className="ml-auto flex gap-2">
          <Button look="quiet" disabled={saving} onClick={draft.discard}>
            Discard
          </Button>
          <Button type="submit" look="primary" disabled={!ready || saving}>
            {saving ? 'Saving…' : 'Apply'}
          </Button>
        </div>
      </div>
      <div aria-live="polite">
        {loose ? <Problem text={loose} /> : null}
        {problems.size > 0 && !loose ? <Problem text="The field that is marked is not right yet." /> : null}
        {problems.size > 0 ? null : preview ? (
          <PlanChanges preview={preview} known={known} />
        ) : (
          <p className="text-muted">Working out the plans…</p>
        )}
      </div>
    </form>
  );
}

function Problem({ text }: { text: string }) {
  return (
    <p className="flex items-baseline gap-2 text-failed">
      <Glyph sign="failed" />
      <span className="min-w-0 whitespace-pre-wrap break-words">{text}</span>
    </p>
  );
}

function Done({ draft }: { draft: Draft }) {
  const problem = draft.problems.get('');
  return (
    <div className="flex flex-wrap items-center justify-between gap-2">
      <p role="status">In force from the next call on.</p>
      {problem ? <Problem text={problem} /> : null}
      <div className="ml-auto flex gap-2">
        <Button disabled={draft.undoing} onClick={draft.undo}>
          {draft.undoing ? 'Undoing…' : 'Undo'}
        </Button>
        <Button look="quiet" onClick={draft.discard}>
          Close
        </Button>
      </div>
    </div>
  );
}
