import { useState } from 'react';
import type { RunDetail } from '../../api/types.ts';
import { Select } from '../../kit/fields.tsx';
import { formatId } from '../../kit/format.ts';
import { Id } from '../../kit/values.tsx';
import { ReceiptView } from './receipt-view.tsx';

type DrawerProps = { detail: RunDetail; open: boolean; onToggle: (open: boolean) => void };

/** The receipt at the foot of the run; a run of several calls has one for each. */
export function ReceiptDrawer({ detail: { receipts, events }, open, onToggle }: DrawerProps) {
  const [chosen, choose] = useState<string>();
  const receipt = receipts.find(({ id }) => id === chosen) ?? receipts.at(-1);
  if (!receipt) return null;
  const sealed = events.findLast(({ payload }) => payload['receiptId'] === receipt.id);
  const { attempts, excluded, policyDigest } = receipt;
  const repairs = attempts.reduce((sum, attempt) => sum + attempt.repairs.length, 0);
  return (
    <section aria-label="Receipt" className="shrink-0 border-line border-t bg-canvas">
      <div className="flex min-h-9 items-center gap-x-4 bg-chrome pr-4 text-xs">
        <button
          type="button"
          aria-expanded={open}
          className="flex h-9 shrink-0 items-center gap-2 px-4 font-semibold text-sm hover:bg-hover"
          onClick={() => onToggle(!open)}
        >
          Receipt
          <svg className={`size-2.5 ${open ? '' : 'rotate-180'}`} viewBox="0 0 10 10" aria-hidden="true">
            <path d="M1 3l4 4 4-4" fill="none" stroke="currentColor" strokeWidth="1.5" />
          </svg>
        </button>
        <span className="hidden min-w-0 truncate text-muted wide:inline">
          {countOf(attempts.length, 'attempt')} · {countOf(repairs, 'repair')} · {excluded.length} left out ·{' '}
          {policyDigest ? 'policy in force' : 'no policy'}
        </span>
        {sealed ? (
          <span className="ml-auto flex shrink-0 items-center gap-1 text-muted">
            in the ledger as <Id id={sealed.hash} name="hash" />
          </span>
        ) : null}
        {receipts.length > 1 ? (
          <Select
            label="Which receipt"
            choices={receipts.map(({ id }, index) => ({
              value: id,
              title: `call ${index + 1}, ${formatId(id)}`,
            }))}
            value={receipt.id}
            onChange={choose}
          />
        ) : null}
      </div>
      {open ? (
        <div className="overflow-y-auto border-line border-t wide:max-h-[42vh]">
          <ReceiptView receipt={receipt} />
        </div>
      ) : null}
    </section>
  );
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
