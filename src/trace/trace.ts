import { createId, randomHex } from '../lib/ids.ts';
import { isoTime } from '../lib/iso-time.ts';
import { createSpanId, currentScope, type Scope } from './context.ts';
import type { EventCatalogue, EventInput, Trace, TraceEvent } from './event.ts';
import { type EventText, type LooseEvent, toEventText } from './event-text.ts';
import { createMasker, type Masker, mapTexts } from './mask.ts';

/** Where events go to stay. */
export type EventSink = {
  append(text: EventText): void;
  /** @throws TiercelError `not_ready` */
  store(text: EventText): Promise<void>;
};

export type TraceParts = {
  /** Absent: events are told to listeners and not kept. */
  sink?: EventSink;
  /** The values to be masked, asked for at each event. */
  masker?: () => Masker;
  /** Told when a listener throws; the event still reaches the others. */
  onListenerError?: (error: unknown) => void;
};

const NO_SECRETS = createMasker([]);

/** The trace of a process. Its scope is that of events that belong to no call, as a breaker that closes. */
export function createTrace({ sink, masker, onListenerError }: TraceParts = {}): Trace {
  const listeners = new Set<(event: TraceEvent) => void>();
  const processScope: Scope = {
    runId: createId(),
    traceId: randomHex(16),
    spanId: createSpanId(),
  };

  function take(type: string, input: EventInput, scope: Scope | undefined): EventText {
    const raw = toEvent(type, input, scope ?? currentScope() ?? processScope);
    const { event, text } = write(raw, masker?.() ?? NO_SECRETS);
    for (const listener of listeners) {
      try {
        listener(event as TraceEvent);
      } catch (error) {
        onListenerError?.(error);
      }
    }
    return text;
  }

  function create(added: EventCatalogue): Trace {
    const check = (type: string, input: EventInput): EventInput => {
      const definition = added[type];
      return definition ? { ...input, payload: definition.payload.parse(input.payload) } : input;
    };
    return {
      emit(type, input, scope) {
        const text = take(type, check(type, input), scope);
        sink?.append(text);
        return text.id;
      },
      async record(type, input, scope) {
        const text = take(type, check(type, input), scope);
        await sink?.store(text);
        return text.id;
      },
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      extend: <More extends EventCatalogue>(more: More) =>
        create({ ...added, ...more }) as unknown as Trace<never> as never,
    };
  }
  return create({});
}

function toEvent(type: string, { actor, tier, message, payload }: EventInput, scope: Scope): LooseEvent {
  const { runId, traceId, spanId, causeId, opens } = scope;
  return {
    id: opens ? runId : createId(),
    ts: isoTime(Date.now()),
    runId,
    traceId,
    spanId,
    ...(causeId === undefined ? {} : { causeId }),
    type,
    actor,
    ...(tier === undefined ? {} : { tier }),
    message,
    payload,
  };
}

/** Writes an event down; one that holds a secret, or what no JSON or no database can, is cleansed first. */
function write(event: LooseEvent, masker: Masker): { event: LooseEvent; text: EventText } {
  let text: EventText;
  try {
    text = toEventText(event);
  } catch {
    return write(cleanse(event), masker);
  }
  const isPlain = !text.middle.includes('\\u0000') && isLine(event.actor);
  if (isPlain && !masker.suspects(text.middle) && !masker.suspects(text.head)) return { event, text };
  const { actor, message, payload } = isPlain ? event : cleanse(event);
  const masked = { ...event, ...masker.mask({ actor, message, payload }) };
  return { event: masked, text: toEventText(masked) };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/g;

function isLine(actor: string): boolean {
  return actor !== '' && actor.search(CONTROL) === -1;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what is looked for
const UNWRITABLE = /\p{Surrogate}|\u0000/gu;

/** PostgreSQL's text holds no U+0000, and JSON no lone surrogate and no number that is not finite. */
function cleanse(event: LooseEvent): LooseEvent {
  const clean = (text: string) => text.replaceAll(UNWRITABLE, '\ufffd');
  // JSON's own writer turns what is no number into null.
  const payload: LooseEvent['payload'] = JSON.parse(JSON.stringify(event.payload));
  return {
    ...event,
    actor: clean(event.actor).replaceAll(CONTROL, '\ufffd') || 'unknown',
    message: clean(event.message),
    payload: mapTexts(payload, clean),
  };
}
