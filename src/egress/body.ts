import { TiercelError } from '../errors.ts';
import type { BodyRead, BodyReader, ReadFailed, ReadFailureReason, TextRead } from './model.ts';

/** The connection that a body comes from. */
export interface BodySource {
  pause(): void;
  resume(): void;
  /** The rest is not wanted: destroy the socket. Harmless when called again or after the end. */
  discard(): void;
}

/** Bytes that may wait for a reader before the source is paused. */
const HIGH_WATER = 256 * 1024;

/**
 * A body between the socket that pushes and the reader that pulls. Bytes queue until they are read; above
 * {@link HIGH_WATER} the source is paused. The ending is kept and given to the reader after the bytes before it.
 */
export class Body implements BodyReader {
  readonly #source: BodySource;
  readonly #deadlineAt: number;
  readonly #place: string;
  #chunks: Buffer[] = [];
  #queued = 0;
  #paused = false;
  #ending: { kind: 'end' } | ReadFailed | null = null;
  #reader: ((read: BodyRead) => void) | null = null;
  #delivering = false;
  /** Left running between reads and refreshed by the next: cheaper than a new one for each. */
  #timer: NodeJS.Timeout | null = null;
  #timerMs = 0;
  #limit: 'idle_timeout' | 'deadline' = 'idle_timeout';

  constructor(source: BodySource, deadlineAt: number, place: string) {
    this.#source = source;
    this.#deadlineAt = deadlineAt;
    this.#place = place;
  }

  push(chunk: Buffer): void {
    if (this.#ending) return;
    this.#chunks.push(chunk);
    this.#queued += chunk.length;
    if (this.#queued >= HIGH_WATER && !this.#paused) {
      this.#paused = true;
      this.#source.pause();
    }
    this.#wake();
  }

  end(): void {
    this.#finish({ kind: 'end' });
  }

  /** `drop`: bytes that are still queued are not given out any more. A body that has ended stays as it ended. */
  fail(reason: ReadFailureReason, what: string, { drop }: { drop: boolean }): void {
    if (this.#ending) return;
    if (drop) {
      this.#chunks = [];
      this.#queued = 0;
    }
    this.#finish({ kind: 'failed', reason, message: `${this.#place}: ${what}` });
  }

  read(limitMs: number): Promise<BodyRead> {
    if (this.#reader) throw new TiercelError('internal_error', 'A body has one reader at a time.');
    const left = this.#deadlineAt - performance.now();
    if (left <= 0 && !this.#ending) this.#stop('deadline', 'past the deadline');
    if (this.#queued > 0 || this.#ending) return Promise.resolve(this.#take());
    this.#limit = left < limitMs ? 'deadline' : 'idle_timeout';
    this.#arm(Math.ceil(Math.min(left, limitMs)));
    return new Promise((resolve) => {
      this.#reader = resolve;
    });
  }

  async text(limitMs: number, maxBytes: number): Promise<TextRead> {
    const parts: Buffer[] = [];
    let size = 0;
    while (true) {
      const read = await this.read(limitMs);
      if (read.kind === 'failed') return read;
      if (read.kind === 'end') return { kind: 'text', text: join(parts, size).toString('utf8') };
      size += read.bytes.length;
      if (size > maxBytes) {
        this.cancel();
        return {
          kind: 'failed',
          reason: 'too_large',
          message: `${this.#place}: body over ${maxBytes} bytes`,
        };
      }
      parts.push(read.bytes);
    }
  }

  cancel(): void {
    this.#stop('aborted', 'cancelled by the reader');
  }

  #stop(reason: ReadFailureReason, what: string): void {
    this.fail(reason, what, { drop: true });
    this.#source.discard();
  }

  #finish(ending: { kind: 'end' } | ReadFailed): void {
    if (this.#ending) return;
    this.#ending = ending;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#wake();
  }

  /** Delivers in a microtask: by then the parser has pushed all that one network read held. */
  #wake(): void {
    if (!this.#reader || this.#delivering) return;
    this.#delivering = true;
    queueMicrotask(() => {
      const reader = this.#reader;
      this.#reader = null;
      this.#delivering = false;
      reader?.(this.#take());
    });
  }

  #take(): BodyRead {
    if (this.#queued === 0) return this.#ending ?? { kind: 'end' };
    const bytes = join(this.#chunks, this.#queued);
    this.#chunks = [];
    this.#queued = 0;
    // Last, as it makes the parser push what the socket holds.
    if (this.#paused) {
      this.#paused = false;
      this.#source.resume();
    }
    return { kind: 'data', bytes };
  }

  #arm(ms: number): void {
    if (this.#timer && this.#timerMs === ms) {
      this.#timer.refresh();
      return;
    }
    if (this.#timer) clearTimeout(this.#timer);
    this.#timerMs = ms;
    this.#timer = setTimeout(Body.#onLimit, ms, this);
  }

  static #onLimit(body: Body): void {
    if (!body.#reader || body.#delivering) return;
    const what = body.#limit === 'deadline' ? 'past the deadline' : `nothing came for ${body.#timerMs} ms`;
    body.#stop(body.#limit, what);
  }
}

function join(chunks: readonly Buffer[], length: number): Buffer {
  const [first] = chunks;
  return chunks.length === 1 && first ? first : Buffer.concat(chunks, length);
}
