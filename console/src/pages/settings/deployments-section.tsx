import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { deploymentsQuery } from '../../api/settings.ts';
import { Button } from '../../kit/button.tsx';
import { EmptyState, ErrorState, SkeletonRows } from '../../kit/states.tsx';
import { EXAMPLES, toForm } from './definition.ts';
import { DeploymentForm } from './deployment-form.tsx';
import { DeploymentRow } from './deployment-row.tsx';
import type { Values } from './field.tsx';
import { Section } from './section.tsx';

const CHOICES = [
  ['ollama', 'Add Ollama'],
  ['foundry', 'Add Foundry'],
  ['blank', 'Add another'],
] as const;

type SectionProps = {
  values: Values;
  /** The example to begin with, when the address asks for one. */
  connect: string | null;
  /** A command that tries the deployment. */
  testOf: (id: string) => string;
};

export function DeploymentsSection({ values, connect, testOf }: SectionProps) {
  const { data, error, refetch } = useQuery(deploymentsQuery);
  const [adding, setAdding] = useState<string | null>(connect);
  const [editing, setEditing] = useState<string | null>(null);
  const taken = data?.map(({ id }) => id) ?? [];
  const example = adding === null ? undefined : EXAMPLES[adding];
  const begin = (name: string | null) => {
    setAdding(name);
    setEditing(null);
  };
  return (
    <Section
      id="deployments"
      says="One model behind one OpenAI-compatible URL each. A test asks for the list of models, which costs nothing."
      aside={
        <div className="flex flex-wrap gap-2">
          {CHOICES.map(([name, title]) => (
            <Button key={name} aria-pressed={adding === name} onClick={() => begin(name)}>
              {title}
            </Button>
          ))}
        </div>
      }
    >
      {example ? (
        <DeploymentForm
          key={adding}
          start={example}
          edits={false}
          taken={taken}
          values={values}
          onClose={() => begin(null)}
        />
      ) : null}
      {error && !data ? (
        <ErrorState title="The deployments could not be read" error={error} retry={() => void refetch()} />
      ) : !data ? (
        <SkeletonRows rows={3} />
      ) : data.length === 0 && !example ? (
        <EmptyState title="No model is connected">
          <p>
            Calls are answered by deterministic code until one is. Add Ollama when it runs on this machine, or
            Foundry with the name of the variable that holds its key.
          </p>
        </EmptyState>
      ) : (
        <ul>
          {data.map((deployment) =>
            editing === deployment.id ? (
              <li key={deployment.id}>
                <DeploymentForm
                  start={toForm(deployment)}
                  edits
                  taken={taken}
                  values={values}
                  onClose={() => setEditing(null)}
                />
              </li>
            ) : (
              <DeploymentRow
                key={deployment.id}
                deployment={deployment}
                values={values}
                test={testOf(deployment.id)}
                onEdit={() => {
                  setAdding(null);
                  setEditing(deployment.id);
                }}
              />
            ),
          )}
        </ul>
      )}
    </Section>
  );
}
