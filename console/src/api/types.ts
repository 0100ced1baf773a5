// The one module to import the gateway's types from: names for parts of what /openapi.json describes. What it does not describe yet: POST /api/demo/fallback, whose answer's
// type stands in client.ts.
import type { DeploymentHealth, Event, Overview, Receipt, Run, RunSummary, Span } from './schema.ts';

export type { DeploymentHealth, Overview, Receipt, Run as RunDetail, RunSummary, Span } from './schema.ts';

export type Tier = Receipt['attempts'][number]['tier'];
export type Exclusion = Receipt['excluded'][number];
export type ExclusionReason = Exclusion['reason'];
export type Label = Receipt['label'];
/** `running` until a run has its end. */
export type Outcome = RunSummary['outcome'];
export type Cost = NonNullable<RunSummary['cost']>;
export type DeploymentState = DeploymentHealth['state'];
/** One minute of requests, by the tier that served. */
export type Bucket = Overview['buckets'][number];
export type SpanKind = Span['kind'];
/** The browser has an `Event` of its own. */
export type TraceEvent = Event;
export type ReceiptWithContents = Run['receipts'][number];
export type Page<Item> = { data: Item[]; next: string | null };
