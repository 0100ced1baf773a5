import type { ReceiptWithContents, RunDetail } from '../../api/types.ts';
import { Disclosure } from '../../kit/disclosure.tsx';
import { formatClock, formatCount } from '../../kit/format.ts';
import { Panel } from '../../kit/panel.tsx';
import { Payload, toPretty } from '../../kit/payload.tsx';
import { OutcomeBadge, TierBadge } from '../../kit/tier.tsx';
import { Duration, Tokens } from '../../kit/values.tsx';
import { toWords } from '../../kit/words.ts';
import { type Answer, type AskedRequest, answerOf, type Kept, requestOf } from './contents.ts';
import type { Selection } from './selection.ts';
import { ToolCalls } from './tool-calls.tsx';

type PaneProps = { detail: RunDetail; selection: Selection; className: string };

/** What came back, and what was asked, thought and called on the way. */
export function AnswerPane({ detail, selection, className }: PaneProps) {
  const last = detail.receipts.at(-1);
  if (!last) {
    return (
      <Panel title="Answer" className={className}>
        <p className="px-4 py-2 text-muted">
          {detail.run.outcome === 'running'
            ? 'The call has not come back yet.'
            : 'This run made no model call.'}
        </p>
      </Panel>
    );
  }
  const answer = answerOf(last);
  const [first = last] = detail.receipts;
  return (
    <Panel title="Answer" className={className} aside={<OutcomeBadge {...detail.run} />}>
      <div className="flex min-h-0 flex-1 flex-col wide:overflow-y-auto">
        <Text receipt={last} answer={answer} />
        <Asked request={requestOf(first)} />
        {answer.kind === 'full' ? <Reasoning answer={answer.value} receipt={last} /> : null}
        <ToolCalls detail={detail} selection={selection} />
      </div>
      <Footer receipt={last} endedAt={detail.run.endedAt} />
    </Panel>
  );
}

function Text({ receipt, answer }: { receipt: ReceiptWithContents; answer: Kept<Answer> }) {
  const broken = receipt.outcome === 'truncated' || receipt.outcome === 'error';
  return (
    <div className="px-4 pt-1 pb-4">
      {answer.kind === 'full' ? (
        <Words answer={answer.value} />
      ) : (
        <NotKept receipt={receipt} answer={answer} />
      )}
      {broken ? (
        <p
          className={`mt-3 rounded px-3 py-2 ${receipt.outcome === 'error' ? 'bg-failed-wash text-failed' : 'bg-degraded-wash text-degraded'}`}
        >
          {receipt.outcome === 'error' ? 'No answer' : 'Cut off: this is not the whole answer'}
          {receipt.errorCode ? ` (${toWords(receipt.errorCode)})` : ''}. The receipt names every attempt.
        </p>
      ) : null}
    </div>
  );
}

function Words({ answer: { text, refusal, toolCalls } }: { answer: Answer }) {
  if (refusal !== null)
    return <p className="max-w-[72ch] whitespace-pre-wrap text-base">Refused: {refusal}</p>;
  if (text === null) {
    return toolCalls.length > 0 ? <p className="text-muted">Only tools were called.</p> : null;
  }
  const isJson = /^\s*[[{]/.test(text) && toPretty(text) !== text;
  if (isJson) return <Payload label="JSON" value={text} />;
  return <p className="max-w-[72ch] whitespace-pre-wrap break-words text-base">{text}</p>;
}

function NotKept({ receipt, answer }: { receipt: ReceiptWithContents; answer: Kept<Answer> }) {
  if (answer.kind === 'digest') {
    return (
      <p className="text-muted">
        Only the digest of the answer is kept, as the setting <code className="font-mono">content</code> says:{' '}
        <code className="break-all font-mono text-xs">{answer.digest}</code>
      </p>
    );
  }
  if (receipt.outcome === 'error') return null;
  return (
    <p className="text-muted">
      The text was not kept, as the setting <code className="font-mono">content</code> says.
    </p>
  );
}

function Asked({ request }: { request: Kept<AskedRequest> }) {
  if (request.kind !== 'full') return null;
  const { messages = [], ...parameters } = request.value;
  return (
    <Disclosure title={`Asked (${messages.length} ${messages.length === 1 ? 'message' : 'messages'})`}>
      {messages.map(({ role, content }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: messages have no id and never change their place
        <div key={index} className="mb-2">
          <h3 className="text-muted text-xs">{role}</h3>
          <p className="max-w-[72ch] whitespace-pre-wrap break-words">
            {typeof content === 'string' ? content : toPretty(content)}
          </p>
        </div>
      ))}
      {Object.keys(parameters).length > 0 ? <Payload label="parameters" value={parameters} /> : null}
    </Disclosure>
  );
}

function Reasoning({ answer, receipt }: { answer: Answer; receipt: ReceiptWithContents }) {
  const count = receipt.usage.reasoningTokens;
  const size = count === undefined ? '' : ` (${formatCount(count)} tokens)`;
  const sections = [
    [`Reasoning${size}`, answer.reasoning],
    ['Reasoning summary', answer.reasoningSummary],
  ] as const;
  return sections.map(([title, text]) =>
    text === null ? null : (
      <Disclosure key={title} title={title}>
        <p className="max-w-[72ch] whitespace-pre-wrap break-words text-muted">{text}</p>
      </Disclosure>
    ),
  );
}

function Footer({ receipt, endedAt }: { receipt: ReceiptWithContents; endedAt: string | null }) {
  const { served, durationMs, usage } = receipt;
  return (
    <footer className="flex min-h-9 shrink-0 flex-wrap items-center gap-x-3 gap-y-0.5 border-line border-t px-4 py-1 text-xs">
      <TierBadge tier={served?.tier ?? null} />
      {served ? (
        <>
          <span>{served.deployment}</span>
          <span className="font-mono text-muted">{served.model}</span>
        </>
      ) : null}
      <Duration ms={durationMs} />
      <Tokens usage={usage} />
      {endedAt ? <span className="font-mono text-muted">{formatClock(endedAt, false)}</span> : null}
    </footer>
  );
}
