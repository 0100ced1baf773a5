import type { ReactNode } from 'react';

/** A section that opens on demand, closed unless said otherwise. */
export function Disclosure({
  title,
  open = false,
  children,
}: {
  title: ReactNode;
  open?: boolean;
  children: ReactNode;
}) {
  return (
    <details open={open} className="group border-line border-t">
      <summary className="flex min-h-8 list-none items-center justify-between gap-3 px-4 text-sm hover:bg-hover [&::-webkit-details-marker]:hidden">
        <span className="min-w-0 truncate">{title}</span>
        <svg
          className="size-2.5 shrink-0 text-faint group-open:rotate-90"
          viewBox="0 0 10 10"
          aria-hidden="true"
        >
          <path d="M3 1l4 4-4 4" fill="none" stroke="currentColor" strokeWidth="1.5" />
        </svg>
      </summary>
      <div className="px-4 pb-3">{children}</div>
    </details>
  );
}
