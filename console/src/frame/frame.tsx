import { Outlet, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { hearEvents } from '../api/live.ts';
import { KeyHelp } from '../kit/key-help.tsx';
import { useShortcuts } from '../kit/keys.ts';
import { TipProvider } from '../kit/tip.tsx';
import { BottomNav } from './bottom-nav.tsx';
import { ALL_SECTIONS } from './sections.ts';
import { SideNav } from './side-nav.tsx';
import { StatusStrip } from './status-strip.tsx';

/** What stands around every page. */
export function Frame() {
  const navigate = useNavigate();
  useShortcuts(
    'Go to',
    ALL_SECTIONS.map(({ to, title, key }) => ({
      keys: `g ${key}`,
      does: title,
      run: () => void navigate({ to }),
    })),
  );
  // Holds the connection open while pages that listen come and go.
  useEffect(() => hearEvents(() => {}), []);
  return (
    <TipProvider>
      <a href="#page" className="sr-only focus:not-sr-only">
        Skip to the page
      </a>
      <div className="flex h-dvh flex-col wide:flex-row">
        <SideNav />
        <div className="flex min-h-0 min-w-0 flex-1 flex-col">
          <StatusStrip />
          <main id="page" className="flex min-h-0 flex-1 flex-col overflow-y-auto">
            <Outlet />
          </main>
        </div>
        <BottomNav />
      </div>
      <KeyHelp />
    </TipProvider>
  );
}
