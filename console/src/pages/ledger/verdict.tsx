import type { Ledger } from '../../api/schema.ts';
import { formatCount, formatDuration } from '../../kit/format.ts';
import { Panel } from '../../kit/panel.tsx';
import { explain } from '../../kit/states.tsx';
import { Glyph } from '../../kit/tier.tsx';
import { Id, Time } from '../../kit/values.tsx';
import { type Told, tellAnchor, tellFinding } from './findings.ts';
import { Mark, type Standing } from './mark.tsx';
import type { Verify } from './use-verify.ts';

/** Whether the ledger can be relied on, as far as it has been checked. */
export function Verdict({ ledger, verify }: { ledger: Ledger; verify: Verify }) {
  const { title, sign } = verdictOf(ledger);
  return (
    <section aria-label="Verification" className="border-line border-b px-4 py-3">
      <h2 className="flex text-lg">
        <Mark sign={sign} word={title} />
      </h2>
      <div role="status" className="mt-0.5 min-h-5 text-muted">
        {verify.running ? (
          <span className="flex items-center gap-3">
            <progress
              aria-label="Verifying"
              className="pulse h-1 w-40 appearance-none overflow-hidden rounded bg-live-fill [&::-webkit-progress-bar]:bg-live-fill"
            />
            reading and hashing {formatCount(ledger.count)} events
            <span className="font-mono text-xs">
              {formatDuration(Math.round(verify.elapsedMs / 100) * 100)}
            </span>
          </span>
        ) : verify.error ? (
          <span className="text-failed">
            It could not be verified. {explain(verify.error).message} {explain(verify.error).next}
          </span>
        ) : (
          <Since ledger={ledger} />
        )}
      </div>
    </section>
  );
}

function verdictOf({ lastVerified, chains }: Ledger): { title: string; sign: Standing } {
  if (lastVerified === null) return { title: 'Not verified since this server started', sign: 'neutral' };
  const { intact, chains: reports, events } = lastVerified.report;
  if (!intact) {
    const faults = toldOf(lastVerified.report).filter(({ isFault }) => isFault).length;
    return {
      title: `Not intact: ${formatCount(faults)} ${faults === 1 ? 'fault' : 'faults'} found`,
      sign: 'failed',
    };
  }
  const [first] = reports;
  const title =
    chains.length === 1 && first
      ? `Intact to no. ${formatCount(first.last)}`
      : `Intact: ${formatCount(events)} events in ${formatCount(reports.length)} chains`;
  return { title, sign: 'holds' };
}

function Since({ ledger: { chains, lastVerified, count } }: { ledger: Ledger }) {
  if (lastVerified === null) {
    return (
      <>
        Verifying reads all {formatCount(count)} events back from the database and checks each hash, each
        link, each signature and the anchor.
      </>
    );
  }
  const later = chains.reduce((sum, { writer, head }) => {
    const report = lastVerified.report.chains.find((one) => one.writer === writer);
    return sum + Math.max(0, head.seq - (report?.last ?? 0));
  }, 0);
  return (
    <>
      Verified <Time at={lastVerified.at} />: {formatCount(lastVerified.report.events)} events read back,
      every hash, link and signature checked
      {lastVerified.report.anchor ? ` against the anchor` : ', without an anchor'}.{' '}
      {later === 0 ? 'Nothing was added since.' : `${formatCount(later)} added since.`}
    </>
  );
}

function toldOf(report: NonNullable<Ledger['lastVerified']>['report']): Told[] {
  return [
    ...report.chains.flatMap(({ findings }) => findings.map(tellFinding)),
    ...tellAnchor(report.anchor),
  ];
}

/** What verifying found, apart by kind, chain by chain. */
export function Findings({ report }: { report: NonNullable<Ledger['lastVerified']>['report'] }) {
  const anchor = tellAnchor(report.anchor);
  const chains = report.chains.filter(({ findings }) => findings.length > 0);
  if (chains.length === 0 && anchor.length === 0) return null;
  return (
    <Panel title="What was found" className="border-line border-b">
      {chains.map(({ writer, findings }) => (
        <div key={writer}>
          {report.chains.length > 1 ? (
            <p className="px-4 text-muted text-xs">
              chain <Id id={writer} name="writer id" />
            </p>
          ) : null}
          {findings.map((finding) => (
            <FindingView key={JSON.stringify(finding)} told={tellFinding(finding)} />
          ))}
        </div>
      ))}
      {anchor.map((told) => (
        <FindingView key={told.title} told={told} />
      ))}
    </Panel>
  );
}

function FindingView({ told: { title, why, next, isFault } }: { told: Told }) {
  return (
    <div className={`border-line border-t px-4 py-2.5 ${isFault ? 'bg-failed-wash' : 'bg-degraded-wash'}`}>
      <h3 className={`flex items-baseline gap-2 font-semibold ${isFault ? 'text-failed' : 'text-degraded'}`}>
        <Glyph sign={isFault ? 'failed' : 'degraded'} />
        <span className="min-w-0">{title}</span>
      </h3>
      <p className="mt-0.5 max-w-[72ch] pl-4.5">{why}</p>
      <p className="mt-0.5 max-w-[72ch] pl-4.5">
        <span className="font-semibold">Next: </span>
        {next}
      </p>
    </div>
  );
}
