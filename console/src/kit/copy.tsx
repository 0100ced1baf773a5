import { type ReactNode, useEffect, useState } from 'react';

type CopyState = 'idle' | 'copied' | 'refused';

/** Copies text and tells for a moment how it went. Browsers allow it on https and on this machine only. */
export function useCopy(): { state: CopyState; copy: (text: string) => void } {
  const [state, setState] = useState<CopyState>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), 1_400);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = (text: string) => {
    const written = navigator.clipboard?.writeText(text) ?? Promise.reject();
    written.then(
      () => setState('copied'),
      () => setState('refused'),
    );
  };
  return { state, copy };
}

const SAID: Readonly<Record<CopyState, string>> = {
  idle: '',
  copied: 'Copied',
  refused: 'The browser refuses to copy here',
};

/** A button that copies; its label gives way to the result without changing the button's size. */
export function CopyButton({
  text,
  children,
  className = '',
}: {
  text: string;
  children: ReactNode;
  className?: string;
}) {
  const { state, copy } = useCopy();
  return (
    <button type="button" className={`relative ${className}`} onClick={() => copy(text)}>
      <span className={state === 'idle' ? '' : 'invisible'}>{children}</span>
      <output className="absolute inset-0 flex items-center justify-center overflow-hidden text-ellipsis whitespace-nowrap">
        {SAID[state]}
      </output>
    </button>
  );
}
