export type AttributeValue = string | number | boolean | readonly string[];
export type Attributes = Readonly<Record<string, AttributeValue | undefined>>;

/** One finished span; a missing attribute is left out. */
export type Span = {
  /** 32 hex digits. */
  traceId: string;
  /** 16 hex digits. */
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: 'internal' | 'client';
  /** Unix milliseconds, fractions allowed. */
  startMs: number;
  endMs: number;
  attributes: Attributes;
  events: readonly { name: string; atMs: number; attributes: Attributes }[];
  /** The error's code; absent when there was none. */
  error?: string;
};
