import { useQuery } from '@tanstack/react-query';
import type { RoleMap } from '../../api/schema.ts';
import { deploymentsQuery, rolesQuery } from '../../api/settings.ts';
import { ErrorState, SkeletonRows } from '../../kit/states.tsx';
import { LABELS } from '../../kit/words.ts';
import { ChainCell, type Choice } from './chain-cell.tsx';
import { CONTROL, edgeOf, type Values } from './field.tsx';
import { COMMITS } from './plain-sections.tsx';
import { Section } from './section.tsx';

const GRID = 'grid gap-x-4 gap-y-2 wide:grid-cols-[9rem_minmax(0,1fr)_minmax(0,1fr)_9rem]';

export function RolesSection({ values }: { values: Values }) {
  const { data: roles, error, refetch } = useQuery(rolesQuery);
  const { data: deployments = [] } = useQuery(deploymentsQuery);
  return (
    <Section
      id="roles"
      says="Who is asked for each role, in order, per tier. What a role does not set it inherits; a change here overrides it."
    >
      {error && !roles ? (
        <ErrorState title="The role map could not be read" error={error} retry={() => void refetch()} />
      ) : !roles ? (
        <SkeletonRows rows={4} />
      ) : (
        <Table roles={roles} deployments={deployments} values={values} />
      )}
    </Section>
  );
}

type TableProps = { roles: RoleMap; deployments: readonly Choice[]; values: Values };

function Table({ roles: { defaults, roles }, deployments, values }: TableProps) {
  return (
    <>
      <div aria-hidden="true" className={`${GRID} hidden px-4 pb-1 text-muted text-xs wide:grid`}>
        <span>role</span>
        <span>live</span>
        <span>local</span>
        <span>commit</span>
      </div>
      <ul>
        <Row
          name="defaults"
          says="auto, and roles that set none"
          owner="defaults"
          chains={defaults}
          deployments={deployments}
          values={values}
        />
        {roles.map((role) => (
          <Row
            key={role.name}
            name={role.name}
            says={`${LABELS[role.label]}${role.simulator ? ', has a simulator' : ''}`}
            owner={`roles.${role.name}`}
            chains={role}
            commit={role.commit ?? null}
            deployments={deployments}
            values={values}
          />
        ))}
      </ul>
      {roles.length === 0 ? (
        <p className="border-line border-t px-4 pt-2 text-muted">
          No role is declared. An app declares its own in tiercel.yaml under <code>roles</code>, or by a
          variable as LOCAL_NARRATOR_MODEL; a call names it as <code>role:narrator</code>.
        </p>
      ) : null}
    </>
  );
}

type RowProps = {
  name: string;
  says: string;
  /** What the settings' paths begin with. */
  owner: string;
  chains: RoleMap['defaults'];
  /** Undefined: it has none of its own. */
  commit?: string | null;
} & Pick<TableProps, 'deployments' | 'values'>;

function Row({ name, says, owner, chains, commit, deployments, values }: RowProps) {
  return (
    <li className="border-line border-t px-4 py-2">
      <div className={GRID}>
        <h3 className="min-w-0">
          <span className="block truncate font-semibold">{name}</span>
          <span className="block text-muted text-xs">{says}</span>
        </h3>
        {(['live', 'local'] as const).map((tier) => (
          <div key={tier} className="flex min-w-0 gap-2">
            <span className="w-12 shrink-0 text-muted text-xs leading-5 wide:sr-only">{tier}</span>
            <ChainCell
              path={`${owner}.${tier}`}
              title={`the ${tier} chain of ${name}`}
              tier={tier}
              given={chains[tier]}
              deployments={deployments}
              values={values}
            />
          </div>
        ))}
        {commit === undefined ? null : (
          <div className="flex min-w-0 gap-2">
            <span className="w-12 shrink-0 text-muted text-xs leading-7 wide:sr-only">commit</span>
            <CommitCell path={`${owner}.commit`} name={name} commit={commit} values={values} />
          </div>
        )}
      </div>
    </li>
  );
}

type CommitProps = { path: string; name: string; commit: string | null; values: Values };

function CommitCell({ path, name, commit, values: { draft } }: CommitProps) {
  const changed = Object.hasOwn(draft.changes, path);
  const shown = changed ? draft.changes[path] : commit;
  return (
    <select
      aria-label={`Commit of ${name}`}
      className={`${CONTROL} ${edgeOf(changed, draft.problems.has(path))} w-fit max-w-full`}
      value={String(shown ?? '')}
      onChange={({ target }) => {
        const next = target.value === '' ? null : target.value;
        draft.set(path, next === commit ? undefined : next);
      }}
    >
      <option value="">as set below</option>
      {COMMITS.map(({ value, title }) => (
        <option key={value} value={value}>
          {title}
        </option>
      ))}
    </select>
  );
}
