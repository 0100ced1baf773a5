import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { applyChanges, type Changes, changeDeployment, probeDefinition } from '../../api/settings.ts';
import { Button } from '../../kit/button.tsx';
import { type Form, faultsOf, toDefinition } from './definition.ts';
import { AuthFields, ChoiceInput, MoreFields, TextInput } from './deployment-fields.tsx';
import type { Values } from './field.tsx';
import { PlanChanges } from './plan-change.tsx';
import { ProbeResult } from './probe-result.tsx';
import { problemsOf } from './problems.ts';
import { usePreview, useRefresh } from './use-draft.ts';

type DeploymentFormProps = {
  /** What it begins with. */
  start: Form;
  /** Whether that is a deployment that exists. */
  edits: boolean;
  /** Ids that are taken. */
  taken: readonly string[];
  values: Values;
  onClose: () => void;
};

const TIERS = [
  ['local', 'local: this machine'],
  ['live', 'live: hosted'],
] as const;

/** Adds a deployment, or defines one anew. It can be tested as it stands, and shows what it would do before it is saved. */
export function DeploymentForm(given: DeploymentFormProps) {
  const { edits, values, onClose } = given;
  const editor = useEditor(given);
  const { form, faults, changes, probe, save, shownFaults } = editor;
  const first = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (first.current) begin(first.current);
  }, []);
  const props = { form, set: editor.set, faults: shownFaults };
  const ready = Object.keys(faults).length === 0;
  return (
    <form
      ref={first}
      aria-label={edits ? `Edit ${form.id}` : 'Add a deployment'}
      className="border-line border-t bg-chrome px-4 py-3"
      onSubmit={(event) => {
        event.preventDefault();
        editor.touch();
        if (ready) save.mutate();
      }}
    >
      <div className="grid grid-cols-1 items-start gap-x-4 gap-y-2 wide:grid-cols-3">
        <TextInput {...props} name="id" title="Id" says="Its name in chains and receipts." readOnly={edits} />
        <ChoiceInput {...props} name="tier" title="Tier" options={TIERS} />
        <TextInput
          {...props}
          name="model"
          title="Model"
          says="As this target calls it."
          list={probe.data?.ok ? probe.data.models : []}
        />
        <div className="wide:col-span-3">
          <TextInput {...props} name="baseUrl" title="Base URL" says="Its OpenAI-compatible root." />
        </div>
        <AuthFields {...props} />
        <MoreFields {...props} />
      </div>
      {edits ? null : <Joining editor={editor} values={values} />}
      <div className="mt-3 flex flex-col gap-2" aria-live="polite">
        {probe.data ? <ProbeResult probe={probe.data} model={form.model} tier={form.tier} /> : null}
        {editor.loose ? <p className="whitespace-pre-wrap text-failed">{editor.loose}</p> : null}
        {ready && changes && editor.preview ? (
          <PlanChanges preview={editor.preview} known={values.warnings} />
        ) : null}
      </div>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button type="submit" look="primary" disabled={save.isPending}>
          {save.isPending ? 'Saving…' : edits ? 'Save' : 'Add deployment'}
        </Button>
        <Button
          disabled={probe.isPending}
          onClick={() => {
            editor.touch();
            if (ready) probe.mutate();
          }}
        >
          {probe.isPending ? 'Testing…' : 'Test'}
        </Button>
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

/** Brings the form into view, and the cursor to what an example leaves to be filled in, or to the first field. */
function begin(element: HTMLFormElement): void {
  element.scrollIntoView({ block: 'nearest' });
  const inputs = [...element.querySelectorAll<HTMLInputElement>('input:not([readonly])')];
  const open = inputs.find(({ value }) => value.includes('<'));
  (open ?? inputs[0])?.focus({ preventScroll: true });
  open?.setSelectionRange(open.value.indexOf('<'), open.value.indexOf('>') + 1);
}

type Editor = ReturnType<typeof useEditor>;

function useEditor({ start, edits, taken, values, onClose }: DeploymentFormProps) {
  const refresh = useRefresh();
  const [form, setForm] = useState(start);
  const [joins, setJoins] = useState({ chain: true, mode: true });
  const [touched, setTouched] = useState(false);
  const faults = faultsOf(form, edits ? [] : taken);
  const definition = toDefinition(form);
  const path = `deployments.${form.id.trim()}`;
  const changes: Changes = { [path]: definition, ...(edits ? {} : joiningOf(form, joins, values)) };
  const sendable = Object.keys(faults).length === 0;
  const asked = usePreview(sendable ? changes : {});
  const probe = useMutation({ mutationFn: () => probeDefinition(form.id.trim(), definition) });
  const save = useMutation<unknown>({
    // A definition that shows a masked URL is taken by the deployment's own route only.
    mutationFn: () => (edits ? changeDeployment(start.id, definition) : applyChanges(changes)),
    async onSuccess() {
      await refresh();
      onClose();
    },
  });
  const said = problemsOf(
    save.error ?? probe.error ?? asked.error,
    FIELDS.map((name) => `${path}.${PATHS[name] ?? name}`),
  );
  const told = Object.fromEntries(
    FIELDS.flatMap((name) => {
      const text = said.get(`${path}.${PATHS[name] ?? name}`);
      return text ? [[name, text]] : [];
    }),
  );
  return {
    form,
    faults,
    shownFaults: { ...told, ...(touched ? faults : {}) },
    loose: said.get(''),
    changes,
    preview: asked.data,
    probe,
    save,
    joins,
    setJoins,
    touch: () => setTouched(true),
    set(change: Partial<Form>) {
      save.reset();
      probe.reset();
      setForm((now) => ({ ...now, ...change }));
    },
  };
}

const FIELDS = [
  'id',
  'tier',
  'baseUrl',
  'model',
  'source',
  'header',
  'scope',
  'contextWindow',
  'inputPerM',
  'outputPerM',
  'currency',
] as const;
const PATHS: Readonly<Record<string, string>> = {
  source: 'auth.env',
  header: 'auth.header',
  scope: 'auth.scope',
  inputPerM: 'price.inputPerM',
  outputPerM: 'price.outputPerM',
  currency: 'price.currency',
};

/** The mode that lets the tier serve, when the one in force does not. */
function neededMode(tier: Form['tier'], mode: unknown): Form['tier'] | null {
  return mode === 'live' || mode === tier ? null : tier;
}

function joiningOf({ id, tier }: Form, joins: Editor['joins'], { settings }: Values): Changes {
  const path = `defaults.${tier}`;
  const chain = (settings.get(path)?.value ?? []) as readonly string[];
  const mode = neededMode(tier, settings.get('mode')?.value);
  return {
    ...(joins.chain ? { [path]: [...chain, id.trim()] } : {}),
    ...(joins.mode && mode ? { mode } : {}),
  };
}

/** A deployment that no chain names serves only who asks for it by its id. */
function Joining({ editor: { form, joins, setJoins }, values }: { editor: Editor; values: Values }) {
  const mode = neededMode(form.tier, values.settings.get('mode')?.value);
  return (
    <fieldset className="mt-3 flex flex-col gap-1">
      <legend className="sr-only">Let it serve</legend>
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          checked={joins.chain}
          onChange={({ target }) => setJoins({ ...joins, chain: target.checked })}
        />
        Put it at the end of the default {form.tier} chain
      </label>
      {mode ? (
        <label className="flex items-center gap-2">
          <input
            type="checkbox"
            checked={joins.mode}
            onChange={({ target }) => setJoins({ ...joins, mode: target.checked })}
          />
          Set the mode to {mode}, so that it may serve
        </label>
      ) : null}
    </fieldset>
  );
}
