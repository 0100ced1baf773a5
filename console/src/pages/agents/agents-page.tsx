import { PageHeader } from '../../kit/panel.tsx';
import { SkeletonRows } from '../../kit/states.tsx';

export function AgentsPage() {
  return (
    <>
      <PageHeader title="Agents" />
      <SkeletonRows />
    </>
  );
}
