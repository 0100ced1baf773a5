import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { complete, findRunOf } from '../../api/client.ts';
import type { ChatMessage } from '../../api/schema.ts';
import type { ReceiptWithContents, RunDetail } from '../../api/types.ts';
import { Button, buttonClass } from '../../kit/button.tsx';
import { CopyButton } from '../../kit/copy.tsx';
import { formatExact } from '../../kit/format.ts';
import { PageHeader } from '../../kit/panel.tsx';
import { explain } from '../../kit/states.tsx';
import { Duration, Id, Money, Time, Tokens } from '../../kit/values.tsx';
import { requestOf, toCurl } from './contents.ts';

/** What the run was in one line, and what can be done with it. */
export function RunHeader({ detail: { run, receipts } }: { detail: RunDetail }) {
  const [first] = receipts;
  return (
    <PageHeader
      title={
        <span className="flex flex-wrap items-center gap-x-3">
          <span>
            Run <Id id={run.id} name="run id" />
          </span>
          <span className="flex flex-wrap items-center gap-x-3 font-normal text-muted text-sm">
            <span className="text-ink">{run.role ?? run.requested}</span>
            <span title={formatExact(run.startedAt)}>
              asked <Time at={run.startedAt} /> by {run.principal}
            </span>
            {run.outcome === 'running' ? (
              <span className="pulse">running</span>
            ) : (
              <Duration ms={run.durationMs} />
            )}
            <Tokens usage={run.usage} />
            {run.cost ? <Money cost={run.cost} /> : null}
          </span>
        </span>
      }
    >
      {first ? <Actions receipt={first} /> : null}
    </PageHeader>
  );
}

function Actions({ receipt }: { receipt: ReceiptWithContents }) {
  const navigate = useNavigate();
  const kept = requestOf(receipt);
  const command = toCurl(receipt, window.location.origin);
  const replay = useMutation({
    mutationFn: async () => {
      if (kept.kind !== 'full') throw new Error('The request was not kept.');
      const { messages = [], ...parameters } = kept.value;
      // What was kept is a request that this server took once, so its shape holds.
      const asked = { ...parameters, messages: messages as ChatMessage[], model: 'simulation' };
      return findRunOf((await complete(asked)).receipt.id);
    },
    onSuccess: (runId) => navigate({ to: '/runs/$runId', params: { runId } }),
  });
  const why = command === null ? 'The request was not kept, as the setting content says' : undefined;
  return (
    <div className="flex items-center gap-2">
      {replay.error ? (
        <span
          role="alert"
          className="max-w-80 truncate text-failed text-xs"
          title={explain(replay.error).next}
        >
          {explain(replay.error).message}
        </span>
      ) : null}
      <Button
        disabled={command === null || replay.isPending || receipt.kind !== 'chat'}
        title={why}
        onClick={() => replay.mutate()}
      >
        Replay in simulation
      </Button>
      {command === null ? (
        <Button disabled title={why}>
          Copy as cURL
        </Button>
      ) : (
        <CopyButton text={command} className={buttonClass()}>
          Copy as cURL
        </CopyButton>
      )}
    </div>
  );
}
