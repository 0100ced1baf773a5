import { type ReactNode, useId } from 'react';
import type { Form } from './definition.ts';
import { CONTROL, edgeOf } from './field.tsx';

export type FormProps = {
  form: Form;
  set: (change: Partial<Form>) => void;
  /** What is wrong, by field, as far as it is to be shown. */
  faults: Partial<Record<keyof Form, string>>;
};

type TextProps = FormProps & {
  name: Exclude<keyof Form, 'capabilities'>;
  title: string;
  says?: ReactNode;
  list?: readonly string[];
  readOnly?: boolean;
  numeric?: boolean;
};

export function TextInput({ form, set, faults, name, title, says, list = [], ...rest }: TextProps) {
  const id = useId();
  const fault = faults[name];
  const { readOnly = false, numeric = false } = rest;
  return (
    <div className="flex min-w-0 flex-col gap-0.5">
      <label htmlFor={id} className="text-xs">
        {title}
      </label>
      <input
        id={id}
        value={form[name]}
        readOnly={readOnly}
        autoComplete="off"
        spellCheck={false}
        inputMode={numeric ? 'decimal' : undefined}
        list={list.length > 0 ? `${id}-list` : undefined}
        aria-invalid={fault !== undefined}
        aria-describedby={`${id}-says`}
        className={`${CONTROL} ${edgeOf(false, fault !== undefined)} ${readOnly ? 'bg-chrome text-muted' : ''} font-mono`}
        onChange={({ target }) => set({ [name]: target.value })}
      />
      {list.length > 0 ? (
        <datalist id={`${id}-list`}>
          {list.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      ) : null}
      <p id={`${id}-says`} className={`text-xs ${fault ? 'text-failed' : 'text-muted'}`}>
        {fault ?? says}
      </p>
    </div>
  );
}

export function ChoiceInput<Name extends 'tier' | 'auth'>({
  form,
  set,
  name,
  title,
  options,
}: FormProps & { name: Name; title: string; options: readonly (readonly [Form[Name], string])[] }) {
  const id = useId();
  return (
    <div className="flex min-w-0 flex-col gap-0.5">
      <label htmlFor={id} className="text-xs">
        {title}
      </label>
      <select
        id={id}
        value={form[name]}
        className={`${CONTROL} border-line-strong`}
        onChange={({ target }) => set({ [name]: target.value })}
      >
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

const AUTHS = [
  ['none', 'none'],
  ['env', 'key in a variable'],
  ['file', 'key in a file'],
  ['entra', 'Entra ID'],
] as const;

/** Where the key is; the key itself is never typed here. */
export function AuthFields(props: FormProps) {
  const { auth } = props.form;
  return (
    <>
      <ChoiceInput {...props} name="auth" title="Sign-in at the target" options={AUTHS} />
      {auth === 'env' || auth === 'file' ? (
        <>
          <TextInput
            {...props}
            name="source"
            title={auth === 'env' ? 'Name of the variable' : 'Path of the file'}
            says="Read on the server when a call is made."
          />
          <TextInput
            {...props}
            name="header"
            title="Header"
            says="Blank: Authorization with Bearer. Azure keys: api-key."
          />
        </>
      ) : null}
      {auth === 'entra' ? (
        <TextInput {...props} name="scope" title="Scope" says="Blank: that of Azure’s AI services." />
      ) : null}
      {auth === 'none' ? null : (
        <p className="col-span-full max-w-[72ch] text-muted text-xs">
          Keys are never typed here. What a page takes can be kept by a browser, a proxy or this server’s
          history of changes; a name can be kept by anyone. Set the variable or the file where the server
          runs.
        </p>
      )}
    </>
  );
}

/** What is needed seldom. */
export function MoreFields(props: FormProps) {
  return (
    <details className="col-span-full" open={props.form.contextWindow !== '' || props.form.inputPerM !== ''}>
      <summary className="w-fit text-muted text-xs hover:text-ink">Context window and price</summary>
      <div className="grid grid-cols-2 gap-x-4 gap-y-2 pt-2 wide:grid-cols-4">
        <TextInput
          {...props}
          numeric
          name="contextWindow"
          title="Context window"
          says="tokens, in and out together"
        />
        <TextInput {...props} numeric name="inputPerM" title="Price in" says="per million tokens" />
        <TextInput {...props} numeric name="outputPerM" title="Price out" says="per million tokens" />
        <TextInput {...props} name="currency" title="Currency" says="three capitals; blank: USD" />
      </div>
    </details>
  );
}
