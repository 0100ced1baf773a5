import { Link, useLocation } from '@tanstack/react-router';
import { Popover } from 'radix-ui';
import { useState } from 'react';
import { ALL_SECTIONS } from './sections.ts';

const ENTRY =
  'flex h-13 w-full items-center justify-center gap-1 px-1.5 border-transparent border-t-2 text-xs text-muted data-[status=active]:border-ink data-[status=active]:text-ink';

/** The bottom bar of narrow screens: five pages and the rest behind "More". */
export function BottomNav() {
  return (
    <nav
      aria-label="Pages"
      className="shrink-0 border-line border-t bg-chrome pb-[env(safe-area-inset-bottom)] wide:hidden"
    >
      <ul className="flex [&>li]:flex-auto">
        {ALL_SECTIONS.filter(({ inBar }) => inBar).map(({ to, title }) => (
          <li key={to}>
            <Link to={to} activeOptions={{ exact: to === '/', includeSearch: false }} className={ENTRY}>
              {title}
            </Link>
          </li>
        ))}
        <li>
          <More />
        </li>
      </ul>
    </nav>
  );
}

function More() {
  const [open, setOpen] = useState(false);
  const { pathname } = useLocation();
  const rest = ALL_SECTIONS.filter(({ inBar }) => !inBar);
  const active = rest.some(({ to }) => pathname.startsWith(to));
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger className={ENTRY} data-status={active ? 'active' : undefined}>
        More
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          side="top"
          align="end"
          sideOffset={6}
          collisionPadding={8}
          aria-label="More pages"
          className="z-30 w-44 rounded border border-line-strong bg-canvas py-1"
        >
          {rest.map(({ to, title }) => (
            <Link
              key={to}
              to={to}
              onClick={() => setOpen(false)}
              className="flex h-10 items-center px-4 hover:bg-hover data-[status=active]:bg-selected"
            >
              {title}
            </Link>
          ))}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
