import { Tooltip } from 'radix-ui';
import type { ReactNode } from 'react';

/** More about a thing, on hover and on keyboard focus. */
export function Tip({ content, children }: { content: ReactNode; children: ReactNode }) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger className="cursor-default rounded text-left" type="button">
        {children}
      </Tooltip.Trigger>
      <Tooltip.Portal>
        <Tooltip.Content
          sideOffset={4}
          collisionPadding={8}
          className="z-30 max-w-80 rounded border border-line-strong bg-canvas px-2.5 py-1.5 text-xs text-ink"
        >
          {content}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}

export function TipProvider({ children }: { children: ReactNode }) {
  return <Tooltip.Provider delayDuration={250}>{children}</Tooltip.Provider>;
}
