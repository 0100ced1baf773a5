import { PageHeader } from '../../kit/panel.tsx';
import { SkeletonRows } from '../../kit/states.tsx';

export function InspectorPage() {
  return (
    <>
      <PageHeader title="Inspector" />
      <SkeletonRows />
    </>
  );
}
