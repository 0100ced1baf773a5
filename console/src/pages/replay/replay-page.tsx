import { PageHeader } from '../../kit/panel.tsx';
import { SkeletonRows } from '../../kit/states.tsx';

export function ReplayPage() {
  return (
    <>
      <PageHeader title="Replay" />
      <SkeletonRows />
    </>
  );
}
