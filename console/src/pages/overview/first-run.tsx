import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { complete, startFallbackDemo } from '../../api/client.ts';
import type { Label, Overview } from '../../api/types.ts';
import { Button, buttonClass } from '../../kit/button.tsx';
import { PageHeader } from '../../kit/panel.tsx';
import { Payload } from '../../kit/payload.tsx';
import { ErrorState } from '../../kit/states.tsx';
import { FirstReceipt } from './first-receipt.tsx';

const QUESTION = 'Plan a launch for a bike repair shop';

/** The page of an install that has answered nothing yet: what is running, and what to do first. */
export function FirstRun({ overview, onSend }: { overview: Overview; onSend: () => void }) {
  const navigate = useNavigate();
  const sent = useMutation({
    onMutate: onSend,
    mutationFn: () => complete({ model: 'auto', messages: [{ role: 'user', content: QUESTION }] }),
  });
  const demo = useMutation({
    mutationFn: startFallbackDemo,
    onSuccess: ({ runId }) => navigate({ to: '/runs/$runId', params: { runId } }),
  });
  return (
    <>
      <PageHeader title="Ready for a first request" />
      <div className="flex max-w-3xl flex-col gap-5 px-4 py-5">
        <Lines overview={overview} />
        <div className="flex flex-wrap gap-2">
          <Button look="primary" disabled={sent.isPending} onClick={() => sent.mutate()}>
            Send a request
          </Button>
          <Button disabled={demo.isPending} onClick={() => demo.mutate()}>
            Break the upstream
          </Button>
          <Link to="/settings" hash="deployments" className={buttonClass()}>
            Connect a model
          </Link>
        </div>
        <p className="max-w-[72ch] text-muted">
          “Break the upstream” starts a faulty model on this machine, sends it requests while it fails, and
          opens the run that fell back. It changes no setting.
        </p>
        <Payload label="The same request from a terminal" value={toCommand(window.location.origin)} />
      </div>
      {sent.error ? <ErrorState title="The request was not answered" error={sent.error} /> : null}
      {demo.error ? <ErrorState title="The demonstration did not start" error={demo.error} /> : null}
      {sent.data ? <FirstReceipt answered={sent.data} /> : null}
    </>
  );
}

const SERVES: Readonly<Record<Label, string>> = {
  simulation: 'Simulation answers: no model is connected, so deterministic code writes the text and says so.',
  local: 'The local model answers.',
  live: 'The live model answers.',
  hybrid: 'Live and local models answer, in the order of the routing.',
  none: 'Nothing can answer yet: no model is connected, and simulation is switched off for plain calls.',
};

function Lines({ overview }: { overview: Overview }) {
  const database = overview.database === 'embedded' ? 'the embedded database' : 'PostgreSQL';
  return (
    <ol className="flex list-none flex-col gap-1 text-base">
      <li>
        Tiercel {overview.version} takes OpenAI requests at{' '}
        <code className="font-mono text-sm">{window.location.origin}/v1</code>.
      </li>
      <li>{SERVES[overview.label]}</li>
      <li>Every call leaves a receipt and its events in {database}; this page fills as they come.</li>
    </ol>
  );
}

function toCommand(origin: string): string {
  const body = JSON.stringify({ model: 'auto', messages: [{ role: 'user', content: QUESTION }] });
  return `curl -s ${origin}/v1/chat/completions \\\n  -H 'content-type: application/json' \\\n  -d '${body}'`;
}
