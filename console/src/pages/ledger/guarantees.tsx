import type { ReactNode } from 'react';
import type { Ledger } from '../../api/schema.ts';
import type { Overview } from '../../api/types.ts';
import { buttonClass } from '../../kit/button.tsx';
import { CopyButton } from '../../kit/copy.tsx';
import { Panel } from '../../kit/panel.tsx';
import { Id } from '../../kit/values.tsx';

/** What stands outside the database, so that who can write there cannot make it look right. */
export function Witnesses({
  ledger: { anchor, publicKey },
  className,
}: {
  ledger: Ledger;
  className: string;
}) {
  return (
    <Panel title="Outside the database" className={className}>
      <dl>
        <Row name="Public key">
          <span className="flex items-center gap-2">
            <Id id={publicKey} name="public key" />
            <span className="text-muted text-xs">Ed25519</span>
          </span>
        </Row>
        <Row name="Anchor">
          <span className="flex min-w-0 items-center gap-2">
            <code className="min-w-0 break-all font-mono text-xs">{anchor}</code>
            <CopyButton text={anchor} className={`ml-auto ${buttonClass('quiet')}`}>
              Copy
            </CopyButton>
          </span>
        </Row>
        <Row name="Elsewhere">
          <Command text="npx tiercel ledger verify ledger.jsonl" />
        </Row>
      </dl>
      <p className="max-w-[72ch] px-4 py-2 text-muted">
        Each checkpoint is signed and added to the anchor. Keep a copy of that file on another machine: it
        shows when the end of the ledger was cut off. An export can be verified without this server or its
        database.
      </p>
    </Panel>
  );
}

function Command({ text }: { text: string }) {
  return (
    <span className="flex min-w-0 items-center gap-2">
      <code className="min-w-0 break-all font-mono text-xs">{text}</code>
      <CopyButton text={text} className={`ml-auto ${buttonClass('quiet')}`}>
        Copy
      </CopyButton>
    </span>
  );
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid min-h-9 grid-cols-[6.5rem_minmax(0,1fr)] items-baseline border-line border-t px-4 py-1.5">
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}

/** What a crash or a power cut may take. */
export function Durability({
  database,
  className,
}: {
  database: Overview['database'] | undefined;
  className: string;
}) {
  const isEmbedded = database !== 'postgres';
  return (
    <Panel title="What a crash may take" className={className}>
      <dl id="durability" className="[&_dd]:max-w-[60ch]">
        <Row name="Process killed">
          Nothing that was acknowledged as strict. Of plain calls, at most the batch of the last 5 ms.
        </Row>
        <Row name="Power cut">
          {isEmbedded
            ? 'The embedded database does not wait for the disk (no fsync), so the last seconds may be missing.'
            : 'Nothing that PostgreSQL has committed, while its fsync and synchronous_commit are on.'}
        </Row>
        <Row name="How it is seen">
          The chain ends early but holds; the anchor, which is outside, then says truncated.
        </Row>
      </dl>
      {isEmbedded ? (
        <p className="max-w-[72ch] px-4 py-2 text-muted">
          To wait for the disk at each commit, set <code className="font-mono text-xs">DATABASE_URL</code> to
          a PostgreSQL. Why the embedded one does not is in{' '}
          <code className="font-mono text-xs">docs/decisions/2026-11-30-embedded-database.md</code>.
        </p>
      ) : null}
    </Panel>
  );
}
