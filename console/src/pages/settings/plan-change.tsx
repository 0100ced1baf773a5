import type { SettingsPreview } from '../../api/schema.ts';
import type { PlanChange } from '../../api/settings.ts';
import { Glyph } from '../../kit/tier.tsx';
import { EXCLUSIONS, LABELS } from '../../kit/words.ts';

/** What the changes do to the next call of each name: its ladder before and after. */
export function PlanChanges({
  preview,
  known,
}: {
  preview: SettingsPreview;
  /** Warnings that hold already. */
  known: readonly string[];
}) {
  const groups = groupAlike(preview.plans.filter((plan) => plan.changed));
  return (
    <div className="flex flex-col gap-2">
      {groups.length === 0 ? <p className="text-muted">The next call is served as before.</p> : null}
      {groups.map((plans) => (
        <AlikePlans key={plans[0].model} plans={plans} />
      ))}
      {preview.warnings
        .filter((warning) => !known.includes(warning))
        .map((warning) => (
          <p key={warning} className="flex items-baseline gap-2 text-degraded">
            <Glyph sign="degraded" />
            {warning}
          </p>
        ))}
    </div>
  );
}

type Alike = [PlanChange, ...PlanChange[]];

/** Names whose ladders change alike are told together. */
function groupAlike(plans: readonly PlanChange[]): Alike[] {
  const groups = new Map<string, Alike>();
  for (const plan of plans) {
    const key = JSON.stringify([plan.before, plan.after]);
    const group = groups.get(key);
    if (group) group.push(plan);
    else groups.set(key, [plan]);
  }
  return [...groups.values()];
}

function AlikePlans({ plans }: { plans: Alike }) {
  const [{ before, after }] = plans;
  const names = plans.map(({ model }) => model).join(', ');
  return (
    <section
      aria-label={`Plan of ${names}`}
      className="grid gap-x-4 gap-y-1 wide:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_minmax(0,1fr)]"
    >
      <h3 className="min-w-0">
        The next call of <code className="break-words font-mono text-xs">{names}</code>:{' '}
        <span className="whitespace-nowrap">
          {before.label === after.label ? (
            `still ${LABELS[after.label]}`
          ) : (
            <>
              {LABELS[before.label]} → <b className="font-semibold">{LABELS[after.label]}</b>
            </>
          )}
        </span>
      </h3>
      <Rungs title="before" plan={before} />
      <Rungs title="after" plan={after} />
    </section>
  );
}

function Rungs({ title, plan: { candidates, excluded } }: { title: string; plan: PlanChange['before'] }) {
  return (
    <div className="flex min-w-0 gap-2">
      <span className="w-10 shrink-0 text-faint text-xs leading-5">{title}</span>
      <ol aria-label={title} className="min-w-0 text-xs leading-5">
        {candidates.map(({ deployment, tier }, index) => (
          <li key={deployment} className="flex items-center gap-1.5">
            <span className="w-3 font-mono text-faint">{index + 1}</span>
            <Glyph sign={tier} />
            <span className="truncate">{deployment}</span>
          </li>
        ))}
        {excluded.map(({ deployment, tier, reason }) => (
          <li key={deployment} className="flex items-center gap-1.5 text-muted">
            <span className="w-3 font-mono text-faint">–</span>
            <Glyph sign={tier} hollow />
            <span className="truncate">
              {deployment}: {EXCLUSIONS[reason]}
            </span>
          </li>
        ))}
        {candidates.length === 0 && excluded.length === 0 ? (
          <li className="text-failed">nobody can serve</li>
        ) : null}
      </ol>
    </div>
  );
}
