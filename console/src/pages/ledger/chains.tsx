import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { exportHref } from '../../api/events.ts';
import type { Ledger } from '../../api/schema.ts';
import { buttonClass } from '../../kit/button.tsx';
import { formatCount } from '../../kit/format.ts';
import { Panel } from '../../kit/panel.tsx';
import { Id, Time } from '../../kit/values.tsx';
import { signatureOf } from './findings.ts';
import { Mark } from './mark.tsx';

type Chain = Ledger['chains'][number];

/** The chains of the database: one for each process that has written here. */
export function Chains({ ledger, className }: { ledger: Ledger; className: string }) {
  return (
    <Panel
      title={ledger.chains.length === 1 ? 'Chain' : `Chains (${ledger.chains.length})`}
      className={className}
    >
      <ul>
        {ledger.chains.map((chain) => (
          <ChainRow key={chain.writer} chain={chain} isOwn={chain.writer === ledger.writer} />
        ))}
      </ul>
    </Panel>
  );
}

function ChainRow({ chain: { writer, head, archived }, isOwn }: { chain: Chain; isOwn: boolean }) {
  return (
    <li className="flex min-h-13 flex-wrap items-center gap-x-6 gap-y-1 border-line border-t px-4 py-1.5">
      <Fact name="head">
        no. <span className="font-mono text-xs">{formatCount(head.seq)}</span>
      </Fact>
      <Fact name="hash">
        <Id id={head.hash} name="hash of the head" />
      </Fact>
      <Fact name="writer">
        <Id id={writer} name="writer id" />
        {isOwn ? <span className="text-muted text-xs">this server</span> : null}
      </Fact>
      <Fact name="stored here">
        <span className="font-mono text-xs">{formatCount(head.seq - archived.seq)}</span> events
        {archived.seq > 0 ? (
          <span className="text-muted text-xs">archived to no. {formatCount(archived.seq)}</span>
        ) : null}
      </Fact>
      <a href={exportHref({ writer })} download className={`ml-auto ${buttonClass('quiet')}`}>
        Export
      </a>
    </li>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-24">
      <div className="text-muted text-xs">{name}</div>
      <div className="flex h-5 items-center gap-1.5 whitespace-nowrap">{children}</div>
    </div>
  );
}

/** The latest signed heads. */
export function Checkpoints({ ledger, className }: { ledger: Ledger; className: string }) {
  const { checkpoints, publicKey, lastVerified } = ledger;
  return (
    <Panel
      title="Checkpoints"
      className={className}
      aside={
        <Link
          to="/replay"
          search={{ type: 'LEDGER_CHECKPOINT' }}
          className="text-muted text-xs underline underline-offset-2 hover:text-ink"
        >
          all in Replay
        </Link>
      }
    >
      {checkpoints.length === 0 ? (
        <p className="border-line border-t px-4 py-2 text-muted">
          None yet. The head is signed every 1{'\u202f'}000 events, every 60 seconds, and when the server
          stops.
        </p>
      ) : null}
      <ol>
        {checkpoints.map((checkpoint) => {
          const { word, sign } = signatureOf(checkpoint, publicKey, lastVerified?.report ?? null);
          return (
            <li
              key={checkpoint.id}
              className="grid min-h-8 grid-cols-[4.5rem_4.5rem_minmax(0,1fr)] items-center gap-x-3 border-line border-t px-4 wide:grid-cols-[5rem_5.5rem_6rem_minmax(0,1fr)]"
            >
              <Time at={checkpoint.ts} />
              <span className="whitespace-nowrap text-right font-mono text-xs">
                {formatCount(Number(checkpoint.payload['seq']))}
              </span>
              <span className="hidden wide:block">
                <Id id={String(checkpoint.payload['hash'])} name="hash that was signed" />
              </span>
              <Mark sign={sign} word={word} />
            </li>
          );
        })}
      </ol>
    </Panel>
  );
}
