import { buttonClass } from './button.tsx';
import { CopyButton } from './copy.tsx';
import { formatBytes } from './format.ts';

/** A value as JSON text, indented; text that is not JSON as it is. */
export function toPretty(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value, null, 2) ?? '';
  try {
    return JSON.stringify(JSON.parse(value), null, 2);
  } catch {
    return value;
  }
}

/** JSON or text in full, with its length and a way to copy it. */
export function Payload({ label, value }: { label: string; value: unknown }) {
  const text = toPretty(value);
  return (
    <figure className="min-w-0">
      <figcaption className="flex items-center justify-between text-muted text-xs">
        <span>
          {label} · {formatBytes(new TextEncoder().encode(text).length)}
        </span>
        <CopyButton text={text} className={buttonClass('quiet')}>
          Copy
        </CopyButton>
      </figcaption>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        className="max-h-80 overflow-auto whitespace-pre-wrap break-words rounded border border-line bg-chrome px-2.5 py-2 font-mono text-xs"
      >
        {text}
      </pre>
    </figure>
  );
}
