import type { ButtonHTMLAttributes } from 'react';

type Look = 'plain' | 'primary' | 'quiet';

const LOOKS: Readonly<Record<Look, string>> = {
  plain: 'border border-line-strong bg-canvas enabled:hover:bg-hover',
  primary: 'border border-ink bg-ink text-canvas enabled:hover:opacity-85',
  quiet: 'border border-transparent text-muted enabled:hover:bg-hover enabled:hover:text-ink',
};

/** The look of a button, for what is a link or takes its own element. */
export function buttonClass(look: Look = 'plain'): string {
  return `inline-flex h-7 shrink-0 items-center justify-center gap-1.5 whitespace-nowrap rounded px-2.5 text-sm disabled:opacity-60 ${LOOKS[look]}`;
}

export function Button({
  look = 'plain',
  className = '',
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { look?: Look }) {
  return <button type="button" className={`${buttonClass(look)} ${className}`} {...rest} />;
}
