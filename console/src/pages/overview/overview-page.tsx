import { PageHeader } from '../../kit/panel.tsx';
import { SkeletonRows } from '../../kit/states.tsx';

export function OverviewPage() {
  return (
    <>
      <PageHeader title="Overview" />
      <SkeletonRows />
    </>
  );
}
