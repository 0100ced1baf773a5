import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

export type Tab = { id: string; title: string; content: ReactNode };

/** Tabs whose choice the caller holds, as in the URL. */
export function Tabs({
  label,
  tabs,
  value,
  onChange,
}: {
  label: string;
  tabs: readonly Tab[];
  value: string;
  onChange: (id: string) => void;
}) {
  return (
    <Radix.Root value={value} onValueChange={onChange} className="flex min-h-0 flex-1 flex-col">
      <Radix.List aria-label={label} className="flex h-8 shrink-0 gap-4 border-line border-b px-4">
        {tabs.map(({ id, title }) => (
          <Radix.Trigger
            key={id}
            value={id}
            className="-mb-px border-transparent border-b-2 text-muted hover:text-ink data-[state=active]:border-ink data-[state=active]:text-ink"
          >
            {title}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map(({ id, content }) => (
        <Radix.Content
          key={id}
          value={id}
          className="min-h-0 flex-1 overflow-auto data-[state=inactive]:hidden"
        >
          {content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
