import { PageHeader } from '../../kit/panel.tsx';
import { SkeletonRows } from '../../kit/states.tsx';

export function LedgerPage() {
  return (
    <>
      <PageHeader title="Ledger" />
      <SkeletonRows />
    </>
  );
}
