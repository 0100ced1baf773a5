import { Payload } from '../../kit/payload.tsx';
import { Section } from './section.tsx';

export function TerminalSection({ env, test }: { env: string; test: string }) {
  return (
    <Section
      id="terminal"
      says="The settings in force as variables for another machine, and a call that tries them. No key is written out."
    >
      <div className="grid gap-3 px-4 wide:grid-cols-2">
        <Payload label="Environment" value={env} />
        <Payload label="Smoke test" value={test} />
      </div>
    </Section>
  );
}
