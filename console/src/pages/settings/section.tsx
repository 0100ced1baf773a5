import type { ReactNode } from 'react';

/** The sections in their order; each is an anchor of the page. */
export const SECTIONS = [
  { id: 'runtime', title: 'Runtime' },
  { id: 'deployments', title: 'Deployments' },
  { id: 'roles', title: 'Role map' },
  { id: 'limits', title: 'Limits' },
  { id: 'floor', title: 'Floor and commit' },
  { id: 'content', title: 'Content' },
  { id: 'terminal', title: 'In a terminal' },
  { id: 'history', title: 'History' },
] as const;

export type SectionId = (typeof SECTIONS)[number]['id'];

export function Section({
  id,
  says,
  aside,
  children,
}: {
  id: SectionId;
  says?: string;
  aside?: ReactNode;
  children: ReactNode;
}) {
  const title = SECTIONS.find((section) => section.id === id)?.title;
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="scroll-mt-11 border-line border-b pb-4 wide:scroll-mt-0"
    >
      <header className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 pt-2 pb-1">
        <h2 id={`${id}-title`} className="font-semibold text-base">
          {title}
        </h2>
        {aside}
        {says ? (
          <div className="w-full">
            <p className="max-w-[72ch] text-muted">{says}</p>
          </div>
        ) : null}
      </header>
      {children}
    </section>
  );
}
