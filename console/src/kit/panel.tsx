import type { ReactNode } from 'react';

/** A part of a page: a heading, a line, its content. Panels lie edge to edge and are parted by lines. */
export function Panel({
  title,
  aside,
  children,
  className = '',
}: {
  title: string;
  /** Stands at the end of the heading's line. */
  aside?: ReactNode;
  children: ReactNode;
  className?: string;
}) {
  return (
    <section aria-label={title} className={`flex min-w-0 flex-col ${className}`}>
      <header className="flex min-h-10 shrink-0 items-center justify-between gap-3 px-4">
        <h2 className="min-w-0 truncate font-semibold text-sm">{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}

/** The first line of a page: what it is, and what can be done here. */
export function PageHeader({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <header className="flex min-h-11 shrink-0 flex-wrap items-center justify-between gap-x-4 gap-y-1 border-line border-b px-4 py-1.5">
      <h1 className="min-w-0 font-semibold text-lg">{title}</h1>
      {children}
    </header>
  );
}
