import { useMutation, useQuery } from '@tanstack/react-query';
import { type Change, historyQuery, undoChange } from '../../api/settings.ts';
import { Button } from '../../kit/button.tsx';
import { EmptyState, ErrorState, SkeletonRows } from '../../kit/states.tsx';
import { Time } from '../../kit/values.tsx';
import { toShort } from './field.tsx';
import { Section } from './section.tsx';
import { useRefresh } from './use-draft.ts';

export function HistorySection() {
  const { data, error, refetch } = useQuery(historyQuery);
  return (
    <Section
      id="history"
      says="Every change made at run time. Undo gives the setting what it had before that change, as a change of its own."
    >
      {error && !data ? (
        <ErrorState title="The history could not be read" error={error} retry={() => void refetch()} />
      ) : !data ? (
        <SkeletonRows rows={3} />
      ) : data.length === 0 ? (
        <EmptyState title="Nothing was changed at run time">
          <p>
            File, environment and defaults decide. What you change above is listed here, with who and when.
          </p>
        </EmptyState>
      ) : (
        <ol>
          {data.map((change) => (
            <ChangeRow key={change.version} change={change} />
          ))}
        </ol>
      )}
    </Section>
  );
}

function ChangeRow({ change }: { change: Change }) {
  const refresh = useRefresh();
  const undone = useMutation({ mutationFn: () => undoChange(change.version), onSettled: refresh });
  const { version, path, value, previous, author, at } = change;
  return (
    <li className="border-line border-t px-4 py-1.5">
      <div className="flex items-center gap-3">
        <span className="hidden w-8 shrink-0 font-mono text-faint text-xs wide:inline">{version}</span>
        <div className="min-w-0 flex-1 gap-3 wide:grid wide:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_minmax(0,2fr)]">
          <code className="block truncate font-mono text-xs leading-5" title={path}>
            {path}
          </code>
          <span className="block truncate" title={JSON.stringify({ previous, value }, null, 1)}>
            {previous === null ? '' : `${toShort(previous)} → `}
            {value === null ? <i className="text-muted not-italic">taken back</i> : toShort(value)}
          </span>
          <span className="block truncate text-muted">
            <Time at={at} /> by {author}
          </span>
        </div>
        <Button
          look="quiet"
          disabled={undone.isPending}
          aria-label={`Undo change ${version} of ${path}`}
          onClick={() => undone.mutate()}
        >
          {undone.isPending ? 'Undoing…' : 'Undo'}
        </Button>
      </div>
      {undone.error ? (
        <p role="alert" className="pb-1 text-failed text-xs">
          {undone.error.message}
        </p>
      ) : null}
    </li>
  );
}
