import { useQueries, useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import type { Settings } from '../../api/schema.ts';
import {
  deploymentsQuery,
  historyQuery,
  rolesQuery,
  sessionQuery,
  settingsQuery,
} from '../../api/settings.ts';
import { buttonClass } from '../../kit/button.tsx';
import { CopyButton } from '../../kit/copy.tsx';
import { PageHeader } from '../../kit/panel.tsx';
import { ErrorState, SkeletonRows } from '../../kit/states.tsx';
import { Glyph } from '../../kit/tier.tsx';
import { ChangeBar } from './change-bar.tsx';
import { EXAMPLES } from './definition.ts';
import { DeploymentsSection } from './deployments-section.tsx';
import { toEnvBlock, toSmokeTest } from './env-block.ts';
import { HistorySection } from './history-section.tsx';
import { LimitsSection } from './limits-section.tsx';
import { ContentSection, FloorSection, RuntimeSection } from './plain-sections.tsx';
import { RolesSection } from './roles-section.tsx';
import { SECTIONS } from './section.tsx';
import { TerminalSection } from './terminal-section.tsx';
import { useDraft } from './use-draft.ts';

export function SettingsPage() {
  const { data, error, refetch } = useQuery(settingsQuery);
  if (error && !data) {
    return (
      <>
        <PageHeader title="Settings" />
        <ErrorState title="The settings could not be read" error={error} retry={() => void refetch()} />
      </>
    );
  }
  if (!data) {
    return (
      <>
        <PageHeader title="Settings" />
        <SkeletonRows rows={16} />
      </>
    );
  }
  return <Loaded shown={data} />;
}

function Loaded({ shown }: { shown: Settings }) {
  const draft = useDraft();
  const settings = useMemo(() => new Map(shown.settings.map((one) => [one.path, one])), [shown]);
  const values = { settings, warnings: shown.warnings, draft };
  const connect = useAnchor();
  const { env, testOf } = useTerminal(settings);
  return (
    <>
      <PageHeader title="Settings">
        <div className="flex gap-2">
          <CopyButton text={env ?? ''} className={buttonClass()}>
            Copy env
          </CopyButton>
          <CopyButton text={testOf('auto')} className={buttonClass()}>
            Copy test
          </CopyButton>
        </div>
      </PageHeader>
      <div className="flex min-h-0 flex-1 flex-col wide:flex-row">
        <Anchors />
        <div className="flex min-h-0 min-w-0 flex-1 flex-col">
          {/* Positioned, so that what is hidden for sighted readers scrolls with its text. */}
          <div className="relative min-h-0 flex-1 overflow-y-auto">
            <Warnings warnings={shown.warnings} />
            <RuntimeSection values={values} />
            <DeploymentsSection key={connect} values={values} connect={connect} testOf={testOf} />
            <RolesSection values={values} />
            <LimitsSection values={values} />
            <FloorSection values={values} />
            <ContentSection values={values} />
            <TerminalSection env={env ?? 'reading…'} test={testOf('auto')} />
            <HistorySection />
          </div>
          <ChangeBar draft={draft} known={shown.warnings} />
        </div>
      </div>
    </>
  );
}

/** Goes to the section that the address names; `#connect-ollama` opens the form with that example. */
function useAnchor(): string | null {
  const { hash } = useLocation();
  const example = /^connect-(\w+)$/.exec(hash)?.[1] ?? '';
  const connect = Object.hasOwn(EXAMPLES, example) ? example : null;
  // What is still read makes the sections above longer.
  const complete = useQueries({
    queries: [deploymentsQuery, rolesQuery, historyQuery],
    combine: (read) => read.every(({ isPending }) => !isPending),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once more when all is there
  useEffect(() => {
    document.getElementById(connect === null ? hash : 'deployments')?.scrollIntoView();
  }, [hash, connect, complete]);
  return connect;
}

/** The settings as text for a terminal; the block is undefined until all of it is known. */
function useTerminal(settings: ReadonlyMap<string, { value: unknown }>) {
  const { data: deployments } = useQuery(deploymentsQuery);
  const { data: roles } = useQuery(rolesQuery);
  const { data: session } = useQuery(sessionQuery);
  const env = useMemo(
    () =>
      deployments && roles && toEnvBlock({ value: (path) => settings.get(path)?.value, deployments, roles }),
    [settings, deployments, roles],
  );
  const testOf = (model: string) => toSmokeTest(window.location.origin, model, session?.keyless ?? true);
  return { env, testOf };
}

function Anchors() {
  const { hash } = useLocation();
  return (
    <nav
      aria-label="Sections"
      className="shrink-0 overflow-x-auto border-line border-b wide:w-40 wide:border-r wide:border-b-0 wide:py-2"
    >
      <ul className="flex wide:flex-col">
        {SECTIONS.map(({ id, title }) => (
          <li key={id}>
            <Link
              to="/settings"
              hash={id}
              replace
              aria-current={hash === id ? 'location' : undefined}
              className="flex h-8 items-center whitespace-nowrap px-3 text-muted hover:text-ink aria-[current=location]:text-ink wide:h-7 wide:px-4"
            >
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Warnings({ warnings }: { warnings: readonly string[] }) {
  if (warnings.length === 0) return null;
  return (
    <ul className="border-line border-b bg-degraded-wash px-4 py-2">
      {warnings.map((warning) => (
        <li key={warning} className="flex items-baseline gap-2">
          <Glyph sign="degraded" />
          {warning}
        </li>
      ))}
    </ul>
  );
}
