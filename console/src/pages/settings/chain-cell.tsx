import { useState } from 'react';
import type { RoleMap } from '../../api/schema.ts';
import { Button } from '../../kit/button.tsx';
import { CONTROL, edgeOf, Standing, type Values } from './field.tsx';

export type Choice = { id: string; tier: 'live' | 'local'; model: string };

type ChainProps = {
  /** Of the setting: `roles.narrator.local`. */
  path: string;
  title: string;
  tier: 'live' | 'local';
  given: RoleMap['defaults']['live'];
  deployments: readonly Choice[];
  values: Values;
};

/** One chain: who is asked, in order. It is edited in place and takes effect with the other changes. */
export function ChainCell({ path, title, tier, given, deployments, values }: ChainProps) {
  const { draft } = values;
  const [open, setOpen] = useState(false);
  const standing = given.chain.map(({ deployment }) => deployment);
  const change = draft.changes[path];
  const chain = Array.isArray(change) ? (change as string[]) : standing;
  const problem = draft.problems.get(path);
  const models = new Map(deployments.map(({ id, model }) => [id, model]));
  const set = (next: readonly string[]) =>
    draft.set(
      path,
      next.join('\n') === standing.join('\n') ? undefined : next.length === 0 ? null : [...next],
    );
  return (
    <div className="min-w-0">
      <div className="flex min-w-0 items-start gap-2">
        <span className={`min-w-0 break-words ${given.origin.kind === 'inherited' ? 'text-muted' : ''}`}>
          {chain.length === 0 ? (
            <span className="text-faint">none</span>
          ) : (
            chain.map((id, index) => (
              <span key={id} title={models.get(id)}>
                {index > 0 ? <span className="text-faint"> → </span> : null}
                {id}
              </span>
            ))
          )}
        </span>
        <button
          type="button"
          aria-expanded={open}
          aria-label={`${open ? 'Done with' : 'Edit'} ${title}`}
          className="shrink-0 text-muted text-xs leading-5 underline underline-offset-2 hover:text-ink"
          onClick={() => setOpen(!open)}
        >
          {open ? 'done' : 'edit'}
        </button>
      </div>
      <p className={`text-xs ${problem ? 'text-failed' : 'text-faint'}`}>
        {problem ?? (
          <Standing path={path} setting={{ value: standing, origin: given.origin }} draft={draft} />
        )}
      </p>
      {open ? (
        <ChainEditor
          title={title}
          chain={chain}
          choices={deployments.filter((one) => one.tier === tier)}
          set={set}
        />
      ) : null}
    </div>
  );
}

type EditorProps = {
  title: string;
  chain: readonly string[];
  choices: readonly Choice[];
  set: (chain: readonly string[]) => void;
};

function ChainEditor({ title, chain, choices, set }: EditorProps) {
  const rest = choices.filter(({ id }) => !chain.includes(id));
  const first = (index: number) =>
    set([
      ...chain.slice(0, index - 1),
      chain[index],
      chain[index - 1],
      ...chain.slice(index + 1),
    ] as string[]);
  return (
    <div className="mt-1 flex flex-col gap-1 border-line-strong border-l pl-2">
      <ol>
        {chain.map((id, index) => (
          <li key={id} className="flex min-h-7 items-center gap-1">
            <span className="w-4 font-mono text-faint text-xs">{index + 1}</span>
            <span className="min-w-0 flex-1 truncate">{id}</span>
            <Button
              look="quiet"
              disabled={index === 0}
              aria-label={`Move ${id} up`}
              onClick={() => first(index)}
            >
              ↑
            </Button>
            <Button
              look="quiet"
              aria-label={`Take ${id} out`}
              onClick={() => set(chain.filter((one) => one !== id))}
            >
              ×
            </Button>
          </li>
        ))}
      </ol>
      {rest.length > 0 ? (
        <select
          aria-label={`Add to ${title}`}
          className={`${CONTROL} ${edgeOf(false, false)} w-fit max-w-full text-muted`}
          value=""
          onChange={({ target }) => set([...chain, target.value])}
        >
          <option value="">add…</option>
          {rest.map(({ id, model }) => (
            <option key={id} value={id}>
              {id} ({model})
            </option>
          ))}
        </select>
      ) : (
        <p className="text-muted text-xs">
          {choices.length === 0
            ? 'No deployment of this tier. Add one above.'
            : 'All of this tier are in it.'}
        </p>
      )}
      <p className="text-muted text-xs">An empty chain takes the change back.</p>
    </div>
  );
}
