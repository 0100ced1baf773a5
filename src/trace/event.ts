import type { z } from 'zod';
import type { Scope } from './context.ts';
import type { CoreEvents } from './events.ts';

/** What an event type is: a line for docs/events.md, and what its payload holds. */
export type EventDefinition = { readonly meaning: string; readonly payload: z.ZodObject };
export type EventCatalogue = Readonly<Record<string, EventDefinition>>;

type Payload<Definition extends EventDefinition> = z.input<Definition['payload']>;

/** What a room says. Payloads never hold prompts, answers or secrets, and belong to the trace once given. */
export type EventInput<Definition extends EventDefinition = EventDefinition> = {
  /** Who did it: a principal, an agent, or a part of the system. */
  actor: string;
  tier?: string;
  /** One line for people. */
  message: string;
  payload: Payload<Definition>;
};

/** One thing that happened. */
export type TraceEvent<
  Events extends EventCatalogue = CoreEvents,
  Type extends keyof Events = keyof Events,
> = {
  [Name in Type & string]: {
    /** UUIDv7: ids of one chain ascend, also when the clock is set back. */
    id: string;
    /** ISO 8601, milliseconds, as the clock said. */
    ts: string;
    runId: string;
    traceId: string;
    spanId: string;
    /** The event that caused this one. */
    causeId?: string;
    type: Name;
    actor: string;
    tier?: string;
    message: string;
    payload: Payload<Events[Name]>;
  };
}[Type & string];

/** An event as it stands in the ledger; of any catalogue, so its payload is not known. */
export type ChainedEvent = Omit<TraceEvent, 'type' | 'payload'> & {
  type: string;
  payload: Readonly<Record<string, unknown>>;
  /** The chain it belongs to. */
  writer: string;
  /** From 1, without gaps. */
  seq: number;
  prevHash: string;
  /** SHA-256 of the canonical JSON (RFC 8785) of all other members, 64 hex digits. */
  hash: string;
};

/** Where rooms say what happened. */
export interface Trace<Events extends EventCatalogue = CoreEvents> {
  /**
   * Takes the event and gives its id. It is stored within the next batch.
   *
   * @param scope what it belongs to; the scope of the async context unless given, and of the process where there is none
   */
  emit<Type extends keyof Events & string>(
    type: Type,
    input: EventInput<Events[Type]>,
    scope?: Scope,
  ): string;
  /** As `emit`; resolves once the event outlives this process. @throws TiercelError `not_ready` */
  record<Type extends keyof Events & string>(
    type: Type,
    input: EventInput<Events[Type]>,
    scope?: Scope,
  ): Promise<string>;
  /** Hears every event from now on, before it is stored; the function returned ends it. A listener that throws harms nobody else. */
  subscribe(listener: (event: TraceEvent) => void): () => void;
  /** The same trace with an app's own types, whose payloads are checked when emitted. */
  extend<More extends EventCatalogue>(events: More): Trace<Events & More>;
}
