import type { ReactNode } from 'react';
import type { Receipt } from '../../api/schema.ts';
import { formatCount } from '../../kit/format.ts';
import { Badge, OutcomeBadge, TierBadge } from '../../kit/tier.tsx';
import { Duration, Id, Money, Tokens } from '../../kit/values.tsx';
import { EXCLUSIONS, LABELS, toWords } from '../../kit/words.ts';

type Attempt = Receipt['attempts'][number];

/** A receipt in full: every attempt, every repair, everyone left out and why. */
export function ReceiptView({ receipt }: { receipt: Receipt }) {
  return (
    <div className="@container px-4 py-2 text-sm">
      <div className="grid grid-cols-1 gap-x-8 gap-y-4 @3xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="flex min-w-0 flex-col gap-4">
          <Attempts attempts={receipt.attempts} />
          <Excluded excluded={receipt.excluded} />
        </div>
        <Facts receipt={receipt} />
      </div>
    </div>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-1 text-muted text-xs">{title}</h3>
      {children}
    </section>
  );
}

function Attempts({ attempts }: { attempts: readonly Attempt[] }) {
  return (
    <Section title="Attempts, in order">
      {attempts.length === 0 ? <p>None: nobody was asked.</p> : null}
      <ol>
        {attempts.map((attempt, index) => (
          <li key={`${attempt.startedAt} ${attempt.deployment}`} className="border-line border-t py-1">
            <div className="flex flex-wrap items-center gap-x-3">
              <span className="w-3 font-mono text-faint text-xs">{index + 1}</span>
              <Badge sign={attempt.tier} word={attempt.deployment} />
              <span className="font-mono text-muted text-xs">{attempt.model}</span>
              <AttemptOutcome attempt={attempt} />
              <span className="ml-auto">
                <Duration ms={attempt.durationMs} />
              </span>
            </div>
            {attempt.repairs.length > 0 ? (
              <p className="pl-6 text-degraded text-xs">repaired: {attempt.repairs.join(', ')}</p>
            ) : null}
          </li>
        ))}
      </ol>
    </Section>
  );
}

function AttemptOutcome({ attempt: { outcome, errorCode, httpStatus } }: { attempt: Attempt }) {
  if (outcome === 'served') return <span className="text-muted">served</span>;
  const why = [httpStatus, errorCode ? toWords(errorCode) : outcome].filter(Boolean).join(' ');
  return <Badge sign={outcome === 'truncated' ? 'degraded' : 'failed'} word={why} />;
}

function Excluded({ excluded }: { excluded: Receipt['excluded'] }) {
  return (
    <Section title="Left out, and why">
      {excluded.length === 0 ? <p>Nobody.</p> : null}
      <ul>
        {excluded.map(({ deployment, tier, reason }) => (
          <li key={deployment} className="flex min-h-7 items-center gap-3 border-line border-t">
            <Badge sign={tier} word={deployment} hollow />
            <span className="text-muted">{EXCLUSIONS[reason]}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Facts({ receipt }: { receipt: Receipt }) {
  const { served, usage, policyDigest, malformedEvents, proof } = receipt;
  const facts: [string, ReactNode][] = [
    ['receipt', <Id key="id" id={receipt.id} name="receipt id" />],
    ['trace', <Id key="trace" id={receipt.traceId} name="trace id" />],
    ['asked for', receipt.requested],
    ['plan', `${LABELS[receipt.label]} (mode ${receipt.mode}, ${receipt.routing.replace('_', ' ')})`],
    ['served by', <TierBadge key="tier" tier={served?.tier ?? null} />],
    ['outcome', <OutcomeBadge key="outcome" {...receipt} />],
    ['duration', <Duration key="duration" ms={receipt.durationMs} />],
    ['usage', <Tokens key="usage" usage={usage} />],
    ['cost', <Money key="cost" cost={receipt.cost} />],
    ['streamed', receipt.streamed ? 'yes' : 'no'],
    ...(malformedEvents
      ? [['skipped', `${formatCount(malformedEvents)} malformed events`] as [string, string]]
      : []),
    ['tools offered', proof.toolsOffered.join(', ') || 'none'],
    [
      'policy digest',
      policyDigest ? <Id key="policy" id={policyDigest} name="policy digest" /> : 'no policy in force',
    ],
  ];
  return (
    <Section title="Facts">
      <dl>
        {facts.map(([name, value]) => (
          <div
            key={name}
            className="grid min-h-6.5 grid-cols-[7rem_minmax(0,1fr)] items-center border-line border-t"
          >
            <dt className="text-muted">{name}</dt>
            <dd className="min-w-0 truncate">{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
