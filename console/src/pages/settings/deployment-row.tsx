import { useMutation } from '@tanstack/react-query';
import { ApiError } from '../../api/client.ts';
import type { Deployment } from '../../api/schema.ts';
import {
  applyChanges,
  type Changes,
  probeDeployment,
  removeDeployment,
  resetBreaker,
} from '../../api/settings.ts';
import { Button, buttonClass } from '../../kit/button.tsx';
import { CopyButton } from '../../kit/copy.tsx';
import { formatClock, formatDuration } from '../../kit/format.ts';
import { Glyph, type Sign } from '../../kit/tier.tsx';
import { STATES } from '../../kit/words.ts';
import type { Values } from './field.tsx';
import { OriginText } from './origin.tsx';
import { ProbeResult } from './probe-result.tsx';
import { useRefresh } from './use-draft.ts';

type RowProps = { deployment: Deployment; values: Values; test: string; onEdit: () => void };

export function DeploymentRow({ deployment, values, test, onEdit }: RowProps) {
  const refresh = useRefresh();
  const { id, model, chains, breaker, removable } = deployment;
  const probe = useMutation({ mutationFn: () => probeDeployment(id), onSettled: refresh });
  const reset = useMutation({ mutationFn: () => resetBreaker(id), onSettled: refresh });
  const removed = useMutation({ mutationFn: () => remove(deployment, values), onSettled: refresh });
  const error = probe.error ?? reset.error ?? removed.error;
  return (
    <li className="border-line border-t px-4 py-2">
      <div className="grid gap-x-4 gap-y-1 wide:grid-cols-[minmax(0,3fr)_minmax(0,4fr)_12rem] full:grid-cols-[minmax(0,3fr)_minmax(0,4fr)_20rem]">
        <Naming deployment={deployment} />
        <div className="min-w-0">
          <Health deployment={deployment} />
          <p className="text-faint text-xs">
            {chains.length === 0 ? 'in no chain' : `in ${chains.join(', ')}`};{' '}
            <OriginText origin={deployment.origin} />
          </p>
        </div>
        <div className="flex flex-wrap gap-1 wide:justify-end">
          {breaker.state === 'closed' ? null : (
            <Button disabled={reset.isPending} onClick={() => reset.mutate()}>
              Reset breaker
            </Button>
          )}
          <Button disabled={probe.isPending} aria-label={`Test ${id}`} onClick={() => probe.mutate()}>
            {probe.isPending ? 'Testing…' : 'Test'}
          </Button>
          <Button look="quiet" aria-label={`Edit ${id}`} onClick={onEdit}>
            Edit
          </Button>
          <CopyButton text={test} className={buttonClass('quiet')}>
            Copy test
          </CopyButton>
          {removable ? (
            <Button
              look="quiet"
              aria-label={`Remove ${id}`}
              disabled={removed.isPending}
              onClick={() => removed.mutate()}
            >
              {removed.isPending ? 'Removing…' : 'Remove'}
            </Button>
          ) : null}
        </div>
      </div>
      {error ? (
        <p role="alert" className="whitespace-pre-wrap text-failed">
          {error.message}
        </p>
      ) : null}
      {probe.data ? <ProbeResult probe={probe.data} model={model} tier={deployment.tier} /> : null}
    </li>
  );
}

function Naming({ deployment: { id, tier, model, baseUrl, auth } }: { deployment: Deployment }) {
  return (
    <div className="min-w-0">
      <h3 className="flex min-w-0 items-center gap-2">
        <Glyph sign={tier} />
        <span className="truncate font-semibold">{id}</span>
        <span className="shrink-0 text-muted text-xs">{tier}</span>
        <code className="min-w-0 truncate font-mono text-xs" title={model}>
          {model}
        </code>
      </h3>
      <p className="truncate text-faint text-xs" title={baseUrl}>
        {baseUrl}
        {auth.type === 'entra' ? ' · Entra ID' : auth.type === 'api_key' ? ` · key from ${auth.source}` : ''}
        {auth.present === false ? <span className="text-degraded"> (not set)</span> : null}
      </p>
    </div>
  );
}

const SIGNS: Readonly<Partial<Record<Deployment['state'], Sign>>> = {
  unreachable: 'failed',
  breaker_open: 'degraded',
  not_configured: 'degraded',
};

function Health({
  deployment: { state, detail, until, latencyMs, tier, breaker },
}: {
  deployment: Deployment;
}) {
  const sign = SIGNS[state];
  const parts = [
    until === undefined ? STATES[state] : `${STATES[state]} until ${formatClock(until, false)}`,
    ...(latencyMs === undefined ? [] : [formatDuration(latencyMs)]),
    ...(breaker.state === 'half_open' ? ['breaker half open: one call probes it'] : []),
    ...((breaker.failures ?? 0) > 0 ? [`${breaker.failures} failed in a row`] : []),
  ];
  return (
    <p className="flex min-w-0 items-baseline gap-2">
      <Glyph sign={sign ?? tier} hollow={sign === undefined && state !== 'connected'} />
      <span className="min-w-0 break-words">
        {parts.join(' · ')}
        {detail ? <span className="text-muted">: {detail}</span> : null}
      </span>
    </p>
  );
}

/**
 * A deployment that was added here is also taken out of the chains that were changed here; in a chain of the file or of a
 * variable it stays named, and the server says so.
 */
async function remove({ id, chains }: Deployment, { settings }: Values): Promise<unknown> {
  try {
    return await removeDeployment(id);
  } catch (error) {
    const without: Changes = Object.fromEntries(
      chains.flatMap((path) => {
        const setting = settings.get(path);
        if (setting?.origin.kind !== 'console') return [];
        const rest = (setting.value as string[]).filter((one) => one !== id);
        return [[path, rest.length === 0 ? null : rest]];
      }),
    );
    if (!(error instanceof ApiError) || error.status !== 400 || Object.keys(without).length === 0)
      throw error;
    return applyChanges({ ...without, [`deployments.${id}`]: null });
  }
}
