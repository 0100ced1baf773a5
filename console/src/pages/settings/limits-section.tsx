import { Fragment } from 'react';
import { formatDuration } from '../../kit/format.ts';
import { NumberField, NumberInput, Standing, type Values } from './field.tsx';
import { Section } from './section.tsx';

const PHASES = [
  ['connectMs', 'Connect', 'name look-up, TCP and TLS'],
  ['headerMs', 'Header', 'from the request written to the response header'],
  ['firstTokenMs', 'First token', 'from the header to the first output'],
  ['idleMs', 'Idle', 'between two reads of a body that has begun'],
] as const;
const TIERS = ['live', 'local'] as const;

export function LimitsSection({ values }: { values: Values }) {
  return (
    <Section id="limits" says="Each counts from its own start. A blank field takes a change back.">
      <NumberField
        path="limits.totalMs"
        title="Total"
        unit="ms"
        says="All attempts of one call together."
        values={values}
      />
      <NumberField
        path="limits.retriesPerTarget"
        title="Retries"
        unit="per target"
        says="How often one target is asked again after a failure that may pass."
        values={values}
      />
      <NumberField
        path="limits.minPerCandidateMs"
        title="Kept for each candidate"
        unit="ms"
        says="What every candidate still to come keeps of the total."
        values={values}
      />
      <AttemptLimits values={values} />
      <NumberField
        path="breaker.failures"
        title="Breaker opens after"
        unit="failures"
        says="Consecutive failures of one deployment."
        values={values}
      />
      <NumberField
        path="breaker.windowMs"
        title="… within"
        unit="ms"
        says="The time within which they must fall."
        values={values}
      />
      <NumberField
        path="breaker.coolDownMs"
        title="Cool-down"
        unit="ms"
        says="How long it stays open before one probe is let through."
        values={values}
      />
    </Section>
  );
}

function AttemptLimits({ values }: { values: Values }) {
  return (
    <div className="border-line border-t px-4 py-2">
      <div className="grid grid-cols-2 gap-x-4 gap-y-2 wide:grid-cols-[11rem_1fr_1fr]">
        <span className="hidden wide:block">One attempt</span>
        {TIERS.map((tier) => (
          <span key={tier} className="text-muted text-xs">
            {tier}
          </span>
        ))}
        {PHASES.map(([name, title, says]) => (
          <Fragment key={name}>
            <div className="col-span-2 wide:col-span-1">
              {title} <span className="block text-muted text-xs">{says}</span>
            </div>
            {TIERS.map((tier) => (
              <Cell key={tier} path={`limits.${tier}.${name}`} label={`${title}, ${tier}`} values={values} />
            ))}
          </Fragment>
        ))}
      </div>
    </div>
  );
}

function Cell({ path, label, values }: { path: string; label: string; values: Values }) {
  const setting = values.settings.get(path);
  const problem = values.draft.problems.get(path);
  return (
    <div className="min-w-0">
      <div className="flex items-center gap-2">
        <NumberInput
          path={path}
          label={label}
          unit="ms"
          values={values}
          aria-describedby={`${path}-origin`}
          aria-invalid={problem !== undefined}
        />
      </div>
      <p
        id={`${path}-origin`}
        className={`text-xs ${problem ? 'text-failed' : 'text-faint'}`}
        title={typeof setting?.value === 'number' ? formatDuration(setting.value) : undefined}
      >
        {problem ?? <Standing path={path} setting={setting} draft={values.draft} />}
      </p>
    </div>
  );
}
