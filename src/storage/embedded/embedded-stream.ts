import { Duplex } from 'node:stream';
import type { MessagePort } from 'node:worker_threads';

const SYNC = 0x53;
const QUERY = 0x51;
const FLUSH = 0x48;

/**
 * The socket that `pg` believes it has, over a message port to the embedded database's thread.
 *
 * PostgreSQL's protocol is a stream of messages, but the embedded engine takes bytes by the call and must not be given
 * half a message, nor a batch without its end: after an error it skips to the next Sync, and when the Sync came in a later
 * call it would have answered ready too early. So bytes are gathered here until a message that the backend answers
 * (Sync, Query, Flush; the startup packet at the beginning), and go over as one flight.
 */
export class EmbeddedStream extends Duplex {
  readonly #openPort: () => MessagePort;
  #port: MessagePort | null = null;
  #rest: Buffer = Buffer.alloc(0);
  #started = false;

  /** @param openPort Gives the near end of a channel whose far end the database's thread has; throws when that has ended. */
  constructor(openPort: () => MessagePort) {
    super();
    this.#openPort = openPort;
  }

  connect(): this {
    process.nextTick(() => {
      if (this.destroyed) return;
      try {
        this.#port = this.#openPort();
      } catch (error) {
        this.destroy(error instanceof Error ? error : new Error(String(error)));
        return;
      }
      this.#port.on('message', (answer: Uint8Array<ArrayBuffer>) => this.push(Buffer.from(answer.buffer)));
      this.#port.on('close', () => this.destroy());
      this.emit('connect');
    });
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    this.#port?.ref();
    return this;
  }

  unref(): this {
    this.#port?.unref();
    return this;
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#accept(chunk);
    done();
  }

  override _writev(writes: { chunk: Buffer }[], done: () => void): void {
    this.#accept(Buffer.concat(writes.map((write) => write.chunk)));
    done();
  }

  override _final(done: () => void): void {
    this.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#port?.close();
    done(error);
  }

  #accept(bytes: Buffer): void {
    const gathered = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    let sent = 0;
    let offset = 0;
    for (;;) {
      // Only the startup packet has no type byte before its length.
      const header = this.#started ? 1 : 0;
      if (gathered.length < offset + header + 4) break;
      const end = offset + header + gathered.readUInt32BE(offset + header);
      if (gathered.length < end) break;
      const type = gathered[offset];
      offset = end;
      if (this.#started && type !== SYNC && type !== QUERY && type !== FLUSH) continue;
      this.#started = true;
      this.#send(gathered.subarray(sent, offset));
      sent = offset;
    }
    this.#rest = gathered.subarray(sent);
  }

  #send(bytes: Buffer): void {
    // `pg` reuses its buffers, so what is handed over for good must be a copy.
    const flight = new Uint8Array(bytes);
    this.#port?.postMessage(flight, [flight.buffer]);
  }
}
