import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useEventPulse } from '../../api/live.ts';
import { runQuery } from '../../api/queries.ts';
import type { RunDetail } from '../../api/types.ts';
import { useShortcuts } from '../../kit/keys.ts';
import { PageHeader } from '../../kit/panel.tsx';
import { ErrorState, SkeletonRows } from '../../kit/states.tsx';
import { useUrlState } from '../../kit/url-state.ts';
import { AnswerPane } from './answer-pane.tsx';
import { ReceiptDrawer } from './receipt-drawer.tsx';
import { RunHeader } from './run-header.tsx';
import { STATE_NAMES, useSelection } from './selection.ts';
import { Timeline } from './timeline.tsx';
import { Waterfall } from './waterfall.tsx';

const PULSE_MS = 300;

/** One run: what came back, where the time went, what happened, and the proof. */
export function InspectorPage() {
  const { runId } = useParams({ from: '/runs/$runId' });
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(runQuery(runId));
  useEventPulse(
    (event) => event.runId === runId,
    () => void client.invalidateQueries({ queryKey: runQuery(runId).queryKey }),
    PULSE_MS,
  );
  if (data) return <Inspector key={runId} detail={data} />;
  return (
    <>
      <PageHeader title="Run" />
      {error ? (
        <ErrorState title="The run could not be read" error={error} retry={() => void refetch()} />
      ) : (
        <SkeletonRows rows={16} />
      )}
    </>
  );
}

function Inspector({ detail }: { detail: RunDetail }) {
  const [state, set] = useUrlState(STATE_NAMES);
  const selection = useSelection(detail, state, set);
  const open = state.receipt === 'open';
  const toggle = (wanted: boolean) => set({ receipt: wanted ? 'open' : undefined });
  useShortcuts('Run', [
    { keys: 'r', does: 'Open or close the receipt', run: () => toggle(!open) },
    { keys: 'Escape', does: 'Choose nothing', run: () => set({ span: undefined, event: undefined }) },
  ]);
  // A finished run leaves to the timeline what its waterfall does not need; one that still grows must not push it about.
  const [grows] = useState(detail.run.outcome === 'running');
  const height = grows ? 'h-72 full:h-1/2' : 'max-h-72 full:max-h-1/2';
  return (
    <>
      <RunHeader detail={detail} />
      <div className="grid shrink-0 grid-cols-[minmax(0,1fr)] full:min-h-0 full:flex-1 full:grid-cols-[minmax(0,9fr)_minmax(0,16fr)]">
        <AnswerPane
          detail={detail}
          selection={selection}
          className="border-line full:min-h-0 full:border-r"
        />
        <div className="flex min-h-0 min-w-0 flex-col">
          <Waterfall
            detail={detail}
            selection={selection}
            q={state.q}
            className={`shrink-0 border-line border-t full:border-t-0 ${height}`}
          />
          <Timeline
            detail={detail}
            state={state}
            set={set}
            selection={selection}
            className="h-96 min-h-0 border-line border-t full:h-auto full:flex-1"
          />
        </div>
      </div>
      <ReceiptDrawer detail={detail} open={open} onToggle={toggle} />
    </>
  );
}
