import { Link } from '@tanstack/react-router';
import type { RunSummary } from '../../api/types.ts';
import { useWide } from '../../kit/media.ts';
import { Panel } from '../../kit/panel.tsx';
import { RowCells, rowClass, templateOf } from '../../kit/row-cells.tsx';
import { RUN_COLUMNS } from '../runs/run-columns.tsx';

const SHOWN = 10;
const TEMPLATE = templateOf(RUN_COLUMNS);

/** The first answer to "what just happened?". */
export function LatestRuns({ rows }: { rows: readonly RunSummary[] }) {
  const wide = useWide();
  return (
    <Panel
      title="What just happened?"
      aside={
        <Link to="/runs" className="text-muted text-xs underline underline-offset-2 hover:text-ink">
          All runs
        </Link>
      }
    >
      <ul className="pt-1 pb-3">
        {rows.slice(0, SHOWN).map((run, place) => (
          // A place that shows the next run in it moves nothing on the page; a row that moves down does.
          // biome-ignore lint/suspicious/noArrayIndexKey: the place is what stays
          <li key={place}>
            <Link
              to="/runs/$runId"
              params={{ runId: run.id }}
              className={`h-13 border-line border-t hover:bg-hover wide:h-8 ${rowClass(wide)}`}
              style={wide ? { gridTemplateColumns: TEMPLATE } : undefined}
            >
              <RowCells row={run} columns={RUN_COLUMNS} wide={wide} />
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
