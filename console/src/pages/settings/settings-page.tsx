import { PageHeader } from '../../kit/panel.tsx';
import { SkeletonRows } from '../../kit/states.tsx';

export function SettingsPage() {
  return (
    <>
      <PageHeader title="Settings" />
      <SkeletonRows />
    </>
  );
}
