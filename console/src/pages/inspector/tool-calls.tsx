import type { RunDetail, Span } from '../../api/types.ts';
import { Disclosure } from '../../kit/disclosure.tsx';
import { Payload } from '../../kit/payload.tsx';
import { Badge } from '../../kit/tier.tsx';
import { Duration, ShortId } from '../../kit/values.tsx';
import { answerOf, type ToolCall } from './contents.ts';
import { fieldOf } from './notes.ts';
import { isBad } from './rows.ts';
import type { Selection } from './selection.ts';

type Step = { number: number; calls: readonly ToolCall[] };

/** Tool calls by the model call that asked for them. */
export function ToolCalls({ detail, selection }: { detail: RunDetail; selection: Selection }) {
  const steps: Step[] = detail.receipts
    .map((receipt, index) => ({ number: index + 1, answer: answerOf(receipt) }))
    .map(({ number, answer }) => ({ number, calls: answer.kind === 'full' ? answer.value.toolCalls : [] }))
    .filter(({ calls }) => calls.length > 0);
  const count = steps.reduce((sum, { calls }) => sum + calls.length, 0);
  if (count === 0) return null;
  const spans = new Map(
    detail.spans.filter(({ kind }) => kind === 'tool').map((span) => [fieldOf(span, 'callId'), span]),
  );
  return (
    <Disclosure title={`Tool calls (${count})`} open>
      {steps.map(({ number, calls }) => (
        <section key={number} aria-label={`Step ${number}`} className="mb-2">
          <h3 className="text-muted text-xs">step {number}</h3>
          {calls.map((call) => (
            <Call key={call.id} call={call} span={spans.get(call.id)} selection={selection} />
          ))}
        </section>
      ))}
    </Disclosure>
  );
}

function Call({ call, span, selection }: { call: ToolCall; span: Span | undefined; selection: Selection }) {
  const chosen = span !== undefined && span.id === selection.span;
  return (
    <details
      className={`border-line border-t ${chosen ? 'bg-selected' : ''}`}
      onToggle={(event) => {
        if (span && event.currentTarget.open && !chosen) selection.selectSpan(span.id);
      }}
    >
      <summary className="flex min-h-7 items-center gap-2 text-sm hover:bg-hover">
        <span className="shrink-0">{call.name}</span>
        <code className="min-w-0 flex-1 truncate font-mono text-faint text-xs">{call.arguments}</code>
        {span ? (
          <>
            <Duration ms={span.endMs === null ? null : span.endMs - span.startMs} />
            {isBad(span.outcome) ? (
              <Badge sign="failed" word={span.outcome} />
            ) : (
              <span className="text-muted text-xs">{span.outcome}</span>
            )}
          </>
        ) : (
          <span className="text-faint text-xs">called by the caller</span>
        )}
      </summary>
      <div className="flex flex-col gap-2 pb-2">
        <p className="text-muted text-xs">
          call <ShortId id={call.id} />
        </p>
        <Payload label="arguments" value={call.arguments} />
        {span ? <Payload label="result" value={fieldOf(span, 'result') ?? span.detail} /> : null}
      </div>
    </details>
  );
}
