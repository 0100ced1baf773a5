import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { findRunOf } from '../../api/client.ts';
import { queryClient, runQuery } from '../../api/queries.ts';
import type { Receipt, RunDetail } from '../../api/types.ts';
import { buttonClass } from '../../kit/button.tsx';
import { Payload } from '../../kit/payload.tsx';
import { ErrorState } from '../../kit/states.tsx';
import { OutcomeBadge, TierBadge } from '../../kit/tier.tsx';
import { Id } from '../../kit/values.tsx';
import { LABELS, toWords } from '../../kit/words.ts';
import { type CalledTool, exchangeOf, type OfferedTool, type ToolExchange } from './tool-exchange.ts';

/** The run of a call; its receipts have their contents. */
async function findRun(receiptId: string): Promise<RunDetail> {
  return queryClient.fetchQuery(runQuery(await findRunOf(receiptId)));
}

/** What ran the call, and every tool in it. */
export function CallDetails({ receipt }: { receipt: Receipt }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['call', receipt.id],
    queryFn: () => findRun(receipt.id),
  });
  return (
    <section
      aria-label={`Call ${receipt.id}`}
      className="flex flex-col gap-3 border-line border-b bg-chrome px-4 py-2.5"
    >
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <Facts receipt={receipt} />
        <Link
          to="/runs/$runId"
          params={{ runId: data?.run.id ?? receipt.id }}
          disabled={!data}
          className={buttonClass()}
        >
          Open run
        </Link>
      </div>
      {error ? (
        <ErrorState title="The contents could not be read" error={error} retry={() => void refetch()} />
      ) : data ? (
        <Tools exchange={exchangeOf(data.receipts.find(({ id }) => id === receipt.id) ?? receipt, data)} />
      ) : (
        <p className="pulse text-muted">reading the contents</p>
      )}
    </section>
  );
}

function Facts({ receipt }: { receipt: Receipt }) {
  const { id, served, mode, label, routing, requested, principal, fallbackReason, attempts } = receipt;
  const [planned] = attempts;
  return (
    <dl className="grid grid-cols-1 gap-x-8 gap-y-0.5 text-xs wide:grid-cols-[repeat(3,auto)]">
      <Fact name="runtime">
        <TierBadge tier={served?.tier ?? null} />
        {fallbackReason && planned ? (
          <span className="text-degraded">
            instead of {planned.deployment}: {toWords(fallbackReason)}
          </span>
        ) : null}
      </Fact>
      <Fact name="plan">
        {LABELS[label]} (mode {mode}, {routing.replaceAll('_', ' ')})
      </Fact>
      <Fact name="asked for">{requested}</Fact>
      <Fact name="client">{served ? `${served.provider} · ${served.model}` : 'nobody answered'}</Fact>
      <Fact name="called by">{principal}</Fact>
      <Fact name="receipt">
        <Id id={id} name="receipt id" />
        <OutcomeBadge {...receipt} />
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[4.5rem_minmax(0,1fr)] items-center">
      <dt className="text-muted">{name}</dt>
      <dd className="flex min-w-0 flex-wrap items-center gap-x-2">{children}</dd>
    </div>
  );
}

function Tools({ exchange: { offered, called, brought, kept } }: { exchange: ToolExchange }) {
  return (
    <>
      {kept === 'full' ? null : (
        <p className="text-muted">
          Only names are known: the setting <code className="font-mono text-xs">content</code> says to keep{' '}
          {kept === 'digest' ? 'digests' : 'nothing'}, so arguments and results are not here.
        </p>
      )}
      <ToolList title="Called" calls={called} empty="The answer called no tool." />
      {brought.length > 0 ? (
        <ToolList title="Results that came with the request" calls={brought} empty="" />
      ) : null}
      <Offered tools={offered} />
    </>
  );
}

function ToolList({ title, calls, empty }: { title: string; calls: readonly CalledTool[]; empty: string }) {
  return (
    <section aria-label={title}>
      <h3 className="mb-1 text-muted text-xs">{calls.length > 0 ? `${title} (${calls.length})` : title}</h3>
      {calls.length === 0 ? <p className="text-muted">{empty}</p> : null}
      <ul className="flex flex-col gap-2">
        {calls.map((call, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: a call may have no id, and its place never changes
            key={index}
            className="rounded border border-line bg-canvas px-2.5 py-1.5"
          >
            <div className="flex items-baseline gap-3">
              <span className="font-semibold">{call.name}</span>
              {call.id ? <Id id={call.id} name="call id" /> : null}
            </div>
            <div className="grid grid-cols-1 gap-3 wide:grid-cols-2">
              {call.arguments === '' ? null : <Payload label="arguments" value={call.arguments} />}
              <Result call={call} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Result({ call: { result } }: { call: CalledTool }) {
  if (result.given) return <Payload label="result" value={result.value} />;
  return (
    <p className="max-w-[48ch] self-center text-muted text-xs">
      No result seen. The caller runs the tool; what it gave stands here once a later request of the same run
      brings it.
    </p>
  );
}

function Offered({ tools }: { tools: readonly OfferedTool[] }) {
  if (tools.length === 0) return <p className="text-muted">No tool was offered.</p>;
  return (
    <section aria-label="Offered">
      <h3 className="mb-1 text-muted text-xs">Offered ({tools.length})</h3>
      <ul className="rounded border border-line bg-canvas">
        {tools.map(({ name, description, parameters }) => (
          <li key={name} className="border-line border-t first:border-0">
            <details>
              <summary className="flex min-h-7 items-center gap-3 px-2.5 hover:bg-hover">
                <span className="shrink-0">{name}</span>
                <span className="min-w-0 truncate text-muted">{description}</span>
              </summary>
              {parameters === undefined ? null : (
                <div className="px-2.5 pb-2">
                  <Payload label="parameters" value={parameters} />
                </div>
              )}
            </details>
          </li>
        ))}
      </ul>
    </section>
  );
}
