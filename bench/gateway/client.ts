import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Where a request goes and what it is. */
export type Target = {
  /** `http://host:port` */
  origin: string;
  headers: Readonly<Record<string, string>>;
  body: string;
};

/** Milliseconds from the request written to … */
export type Timing = {
  /** the first bytes of the body: of a stream, its first event */
  firstByteMs: number;
  /** the last byte of the answer */
  totalMs: number;
};

const HEAD_END = Buffer.from('\r\n\r\n');
const CHUNKED_END = Buffer.from('\r\n0\r\n\r\n');

/**
 * One HTTP/1.1 connection that sends the same request again and again, written for this bench: it reads of an answer only
 * the status and where it ends, so that the generator takes as little of the machine as it can from what it measures.
 * Chunked answers end with the empty chunk; in a body of JSON or of events those bytes cannot stand, since JSON escapes
 * line ends.
 */
export class Connection {
  readonly #socket: Socket;
  readonly #request: Buffer;
  #settle: ((error: Error | null) => void) | null = null;
  #startedAt = 0;
  #firstByteAt = 0;
  #head: Buffer | null = null;
  #remaining = -1;
  #tail: Buffer = Buffer.alloc(0);
  #inBody = false;
  #onFirstByte: (() => void) | null = null;

  private constructor(socket: Socket, request: Buffer) {
    this.#socket = socket;
    this.#request = request;
    socket.on('data', (bytes) => this.#take(bytes));
    socket.on('error', (error) => this.#finish(error));
    socket.on('close', () => this.#finish(new Error('The server closed the connection.')));
  }

  static async open(target: Target): Promise<Connection> {
    const { hostname, port, host } = new URL(target.origin);
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    await once(socket, 'connect');
    return new Connection(socket, toRequest(target, host));
  }

  /** Sends the request; rejects when the answer is not a 200. */
  exchange(): Promise<Timing> {
    return new Promise((resolve, reject) => {
      this.#begin((error) => {
        if (error) reject(error);
        else {
          const endedAt = performance.now();
          resolve({ firstByteMs: this.#firstByteAt - this.#startedAt, totalMs: endedAt - this.#startedAt });
        }
      });
    });
  }

  /** Sends the request and hangs up at the first bytes of the body. */
  abandon(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#onFirstByte = () => {
        this.#settle = null;
        this.#socket.destroy();
        resolve();
      };
      this.#begin((error) => (error ? reject(error) : resolve()));
    });
  }

  close(): void {
    this.#settle = null;
    this.#socket.destroy();
  }

  #begin(settle: (error: Error | null) => void): void {
    this.#settle = settle;
    this.#head = null;
    this.#inBody = false;
    this.#firstByteAt = 0;
    this.#tail = Buffer.alloc(0);
    this.#startedAt = performance.now();
    this.#socket.write(this.#request);
  }

  #take(bytes: Buffer): void {
    if (this.#inBody) {
      this.#takeBody(bytes);
      return;
    }
    const gathered = this.#head ? Buffer.concat([this.#head, bytes]) : bytes;
    const end = gathered.indexOf(HEAD_END);
    if (end < 0) {
      this.#head = gathered;
      return;
    }
    const head = gathered.toString('latin1', 0, end).toLowerCase();
    if (!head.startsWith('http/1.1 200')) {
      this.#finish(new Error(`The server answered ${head.split('\r\n', 1)[0]}.`));
      return;
    }
    const length = /\r\ncontent-length: *(\d+)/.exec(head);
    this.#remaining = length ? Number(length[1]) : -1;
    this.#inBody = true;
    // The line end of the head is the first half of what ends a chunked body that is empty.
    const body = gathered.subarray(end + HEAD_END.length);
    if (body.length > 0 || this.#remaining === 0) this.#takeBody(body);
  }

  #takeBody(bytes: Buffer): void {
    if (this.#firstByteAt === 0) {
      this.#firstByteAt = performance.now();
      this.#onFirstByte?.();
    }
    if (this.#remaining >= 0) {
      this.#remaining -= bytes.length;
      if (this.#remaining <= 0) this.#finish(null);
      return;
    }
    const last =
      bytes.length >= CHUNKED_END.length
        ? bytes
        : Buffer.concat([this.#tail, bytes]).subarray(-CHUNKED_END.length);
    if (last.subarray(-CHUNKED_END.length).equals(CHUNKED_END)) this.#finish(null);
    else this.#tail = last.subarray(-CHUNKED_END.length);
  }

  #finish(error: Error | null): void {
    const settle = this.#settle;
    this.#settle = null;
    settle?.(error);
  }
}

function toRequest({ headers, body }: Target, host: string): Buffer {
  const lines = Object.entries({ host, 'content-length': Buffer.byteLength(body), ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.from(`POST /v1/chat/completions HTTP/1.1\r\n${head}\r\n${body}`);
}
