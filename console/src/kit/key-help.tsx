import { useRef } from 'react';
import { useShortcutGroups, useShortcuts } from './keys.ts';

const NAMES: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
};

export function Key({ name }: { name: string }) {
  return (
    <kbd className="inline-block min-w-5 rounded border border-line-strong px-1 text-center font-mono text-xs">
      {NAMES[name] ?? name}
    </kbd>
  );
}

const FRAME: readonly string[] = ['Go to', 'Everywhere'];

/** The `?` sheet: every shortcut that works now. */
export function KeyHelp() {
  const sheet = useRef<HTMLDialogElement>(null);
  // What the page adds comes first, whenever it was added.
  const groups = useShortcutGroups().toSorted((a, b) => FRAME.indexOf(a.title) - FRAME.indexOf(b.title));
  useShortcuts('Everywhere', [
    { keys: '?', does: 'Show the keyboard shortcuts', run: () => sheet.current?.showModal() },
  ]);
  return (
    <dialog
      ref={sheet}
      aria-labelledby="key-help-title"
      className="m-auto w-[min(40rem,calc(100vw-2rem))] rounded border border-line-strong bg-canvas p-0 text-ink"
    >
      <div className="flex items-center justify-between border-line border-b px-4 py-2">
        <h2 id="key-help-title" className="font-semibold">
          Keyboard shortcuts
        </h2>
        <form method="dialog">
          <button type="submit" className="rounded px-2 text-muted hover:bg-hover">
            Close
          </button>
        </form>
      </div>
      <div className="max-h-[70vh] columns-1 gap-8 overflow-auto px-4 py-3 wide:columns-2">
        {groups.map(({ title, shortcuts }) => (
          <section key={title} className="mb-4 break-inside-avoid">
            <h3 className="mb-1 text-xs text-muted">{title}</h3>
            <dl>
              {shortcuts.map(({ keys, does }) => (
                <div key={keys} className="flex min-h-7 items-center justify-between gap-4">
                  <dt>{does}</dt>
                  <dd className="flex shrink-0 gap-1">
                    {keys.split(' ').map((name) => (
                      <Key key={name} name={name} />
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </dialog>
  );
}
