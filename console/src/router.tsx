import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { toSearch } from './api/client.ts';
import { queryClient, runQuery } from './api/queries.ts';
import { Frame } from './frame/frame.tsx';
import { PageHeader } from './kit/panel.tsx';
import { EmptyState, ErrorState, SkeletonRows } from './kit/states.tsx';

const root = createRootRoute({ component: Frame, notFoundComponent: NotFound });
const getParentRoute = () => root;

/** What a page keeps in the URL: text by name; each page reads what it knows and ignores the rest. */
type Search = Record<string, string>;
const validateSearch = (search: Record<string, unknown>): Search => search as Search;

const later = () => import('./pages/later-pages.tsx');
const routes = [
  createRoute({
    getParentRoute,
    path: '/',
    validateSearch,
    component: lazyRouteComponent(() => import('./pages/overview/overview-page.tsx'), 'OverviewPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/runs',
    validateSearch,
    component: lazyRouteComponent(() => import('./pages/runs/runs-page.tsx'), 'RunsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/runs/$runId',
    validateSearch,
    // Asked for while the page's own code still loads, and when the pointer comes to rest on a link.
    loader: ({ params }) => void queryClient.prefetchQuery(runQuery(params.runId)),
    component: lazyRouteComponent(() => import('./pages/inspector/inspector-page.tsx'), 'InspectorPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/replay',
    validateSearch,
    component: lazyRouteComponent(() => import('./pages/replay/replay-page.tsx'), 'ReplayPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/agents',
    validateSearch,
    component: lazyRouteComponent(() => import('./pages/agents/agents-page.tsx'), 'AgentsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/ledger',
    validateSearch,
    component: lazyRouteComponent(() => import('./pages/ledger/ledger-page.tsx'), 'LedgerPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/settings',
    validateSearch,
    component: lazyRouteComponent(() => import('./pages/settings/settings-page.tsx'), 'SettingsPage'),
  }),
  createRoute({ getParentRoute, path: '/retrieval', component: lazyRouteComponent(later, 'RetrievalPage') }),
  createRoute({ getParentRoute, path: '/memory', component: lazyRouteComponent(later, 'MemoryPage') }),
  createRoute({ getParentRoute, path: '/decisions', component: lazyRouteComponent(later, 'DecisionsPage') }),
  createRoute({ getParentRoute, path: '/approvals', component: lazyRouteComponent(later, 'ApprovalsPage') }),
  createRoute({ getParentRoute, path: '/policies', component: lazyRouteComponent(later, 'PoliciesPage') }),
] as const;

export const router = createRouter({
  routeTree: root.addChildren(routes),
  defaultPreload: 'intent',
  defaultPendingComponent: () => <SkeletonRows />,
  defaultErrorComponent: ({ error, reset }) => (
    <ErrorState title="This page could not be shown" error={error} retry={reset} />
  ),
  // Plain text both ways: the router's own form puts quotes around what looks like a number.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const text = toSearch(search as Search);
    return text === '' ? '' : `?${text}`;
  },
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

function NotFound() {
  return (
    <>
      <PageHeader title="No such page" />
      <EmptyState title="Nothing stands at this address">
        <p>Choose a page on the side, or press g and then o for the Overview.</p>
      </EmptyState>
    </>
  );
}
