import { PageHeader } from '../../kit/panel.tsx';
import { SkeletonRows } from '../../kit/states.tsx';

export function RunsPage() {
  return (
    <>
      <PageHeader title="Runs" />
      <SkeletonRows />
    </>
  );
}
