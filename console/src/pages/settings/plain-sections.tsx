import { type Option, SelectField, type Values } from './field.tsx';
import { Section } from './section.tsx';

const MODES: readonly Option[] = [
  { value: 'simulation', title: 'simulation' },
  { value: 'local', title: 'local' },
  { value: 'live', title: 'live' },
];
const ROUTINGS: readonly Option[] = [
  { value: 'local_first', title: 'local first' },
  { value: 'cloud_first', title: 'cloud first' },
  { value: 'local_only', title: 'local only' },
  { value: 'cloud_only', title: 'cloud only' },
];
const FLOORS: readonly Option[] = [
  { value: 'always', title: 'always' },
  { value: 'roles', title: 'roles with a simulator' },
  { value: 'never', title: 'never' },
];
export const COMMITS: readonly Option[] = [
  { value: 'first_output', title: 'first output' },
  { value: 'complete', title: 'complete answer' },
];
const CONTENTS: readonly Option[] = [
  { value: 'full', title: 'full' },
  { value: 'digest', title: 'digest only' },
  { value: 'off', title: 'nothing' },
];

export function RuntimeSection({ values }: { values: Values }) {
  return (
    <Section id="runtime">
      <SelectField
        path="mode"
        title="Mode"
        says="How far a call may go: deterministic code, models on this machine, or hosted models as well."
        options={MODES}
        values={values}
      />
      <SelectField
        path="routing"
        title="Routing"
        says="Who is asked first where the mode allows both. Under local only no byte leaves this machine."
        options={ROUTINGS}
        values={values}
      />
    </Section>
  );
}

export function FloorSection({ values }: { values: Values }) {
  return (
    <Section id="floor">
      <SelectField
        path="floor"
        title="Floor"
        says="When simulated text may end a plan whose models all failed."
        options={FLOORS}
        values={values}
      />
      <SelectField
        path="commit"
        title="Commit"
        says="When a streamed answer is let through. A complete one can still be rescued by the next model; it comes later."
        options={COMMITS}
        values={values}
      />
    </Section>
  );
}

export function ContentSection({ values }: { values: Values }) {
  return (
    <Section id="content">
      <SelectField
        path="content"
        title="Keep"
        says="What is stored of prompts and answers: all, their SHA-256, or nothing. What is stored already stays."
        options={CONTENTS}
        values={values}
      />
    </Section>
  );
}
