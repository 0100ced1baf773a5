import { useQuery } from '@tanstack/react-query';
import { exportHref } from '../../api/events.ts';
import { useEventPulse } from '../../api/live.ts';
import { ledgerQuery, overviewQuery } from '../../api/queries.ts';
import { Button, buttonClass } from '../../kit/button.tsx';
import { formatCount } from '../../kit/format.ts';
import { useShortcuts } from '../../kit/keys.ts';
import { PageHeader } from '../../kit/panel.tsx';
import { ErrorState, SkeletonRows } from '../../kit/states.tsx';
import { Chains, Checkpoints } from './chains.tsx';
import { Durability, Witnesses } from './guarantees.tsx';
import { useVerify } from './use-verify.ts';
import { Findings, Verdict } from './verdict.tsx';

const PULSE_MS = 2_000;

/** Where the ledger stands, what vouches for it, and whether it holds. */
export function LedgerPage() {
  const { data: ledger, error, refetch } = useQuery(ledgerQuery);
  const { data: overview } = useQuery(overviewQuery);
  const verify = useVerify();
  useEventPulse(
    () => true,
    () => void refetch(),
    PULSE_MS,
  );
  useShortcuts('Ledger', [{ keys: 'v', does: 'Verify now', run: verify.run }]);
  return (
    <>
      <PageHeader title="Ledger">
        <div className="flex items-center gap-2">
          {ledger ? (
            <span className="hidden text-muted wide:inline">
              <span className="font-mono text-xs">{formatCount(ledger.count)}</span> events stored
            </span>
          ) : null}
          <a href={exportHref()} download className={buttonClass()}>
            Export
          </a>
          <Button look="primary" disabled={verify.running || !ledger} onClick={verify.run}>
            {verify.running ? 'Verifying' : 'Verify now'}
          </Button>
        </div>
      </PageHeader>
      {ledger ? (
        <>
          <Verdict ledger={ledger} verify={verify} />
          {ledger.lastVerified ? <Findings report={ledger.lastVerified.report} /> : null}
          <div className="grid flex-1 grid-cols-1 content-start full:grid-cols-2">
            {ledger.chains.length === 0 ? null : (
              <Chains ledger={ledger} className="border-line border-b full:col-span-2" />
            )}
            <Checkpoints ledger={ledger} className="border-line border-b full:border-r" />
            <div>
              <Witnesses ledger={ledger} className="border-line border-b" />
              <Durability database={overview?.database} className="border-line border-b" />
            </div>
          </div>
        </>
      ) : error ? (
        <ErrorState title="The ledger could not be read" error={error} retry={() => void refetch()} />
      ) : (
        <SkeletonRows rows={10} />
      )}
    </>
  );
}
