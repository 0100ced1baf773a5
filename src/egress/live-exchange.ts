import type { IncomingHttpHeaders } from 'node:http';
import { Body } from './body.ts';
import { ConnectFailure, codeOf } from './connector.ts';
import type { DenyRule, Exchange, NotOpened, Opened, OpenFailureReason } from './model.ts';
import type { Target } from './target.ts';

/** undici's reins of one request. */
type Controller = { abort(reason: Error): void; pause(): void; resume(): void };

/** Where an exchange stands until its request is written: in a pool's queue or on a connection. */
export interface Place {
  /** The exchange is over before it was written: leave the queue, or end the connection being opened for it. */
  leave(exchange: LiveExchange): void;
  /** undici is done with the request; the connection may carry another. */
  release(): void;
}

/** Who hears how opening went, and which rule refused. */
export type OpenObserver = {
  settle(result: Opened | NotOpened): void;
  denied(rule: DenyRule): void;
};

/**
 * One exchange as undici's handler. It waits (queued, or a connection is being opened for it), is sent (it has a
 * controller), opens (it has a body) and is over. A limit, the signal, an error or the reader may end it in any of
 * these; the first is what the caller is told. undici ends a request exactly once, which frees the connection.
 */
export class LiveExchange {
  readonly exchange: Exchange;
  readonly target: Target;
  readonly #observer: OpenObserver;
  #over = false;
  #place: Place | null = null;
  #controller: Controller | null = null;
  #body: Body | null = null;
  #timer: NodeJS.Timeout | undefined;
  #sentAt = 0;

  constructor(exchange: Exchange, target: Target, observer: OpenObserver) {
    this.exchange = exchange;
    this.target = target;
    this.#observer = observer;
    const left = exchange.deadlineAt - performance.now();
    if (exchange.signal?.aborted) {
      this.abort();
    } else if (left <= 0) {
      this.#fail('deadline', 'past the deadline');
    } else {
      exchange.signal?.addEventListener('abort', this);
      this.#timer = setTimeout(LiveExchange.#onDeadline, left, this);
    }
  }

  /** Whether the caller has been told all there is to tell. */
  get over(): boolean {
    return this.#over;
  }

  /** What opening a connection may take, in whole milliseconds, and the limit that this is. */
  connectLimit(): { ms: number; reason: 'connect_timeout' | 'deadline' } {
    const left = Math.max(1, Math.ceil(this.exchange.deadlineAt - performance.now()));
    const { connectMs } = this.exchange.limits;
    return left < connectMs ? { ms: left, reason: 'deadline' } : { ms: connectMs, reason: 'connect_timeout' };
  }

  moveTo(place: Place): void {
    this.#place = place;
  }

  deny(rule: DenyRule, message: string): void {
    if (this.over) return;
    this.#close();
    this.#observer.denied(rule);
    this.#observer.settle({ kind: 'failed', failure: { reason: 'denied', message } });
  }

  abort(): void {
    if (this.#body) this.#body.fail('aborted', 'aborted by the caller', { drop: true });
    else this.#fail('aborted', 'aborted by the caller');
    this.discard();
  }

  /** The signal's listener. */
  handleEvent(): void {
    this.abort();
  }

  /** Ends the exchange without a word to the caller, and destroys its socket. Harmless when it is over. */
  discard(): void {
    if (this.over) return;
    this.#close();
    this.#controller?.abort(new Error('given up'));
  }

  pause(): void {
    this.#controller?.pause();
  }

  resume(): void {
    this.#controller?.resume();
  }

  onRequestStart(controller: Controller): void {
    if (this.over) {
      controller.abort(new Error('over before it was sent'));
      return;
    }
    this.#controller = controller;
    this.#sentAt = performance.now();
    const { headerMs } = this.exchange.limits;
    if (headerMs >= this.exchange.deadlineAt - this.#sentAt) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(LiveExchange.#onHeaderLimit, headerMs, this);
  }

  onResponseStart(_controller: Controller, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200 || this.over) return;
    clearTimeout(this.#timer);
    this.#body = new Body(this, this.exchange.deadlineAt, this.target.place);
    const headerMs = performance.now() - this.#sentAt;
    this.#observer.settle({ kind: 'opened', status, headers: joined(headers), headerMs, body: this.#body });
  }

  onResponseData(_controller: Controller, chunk: Buffer): void {
    this.#body?.push(chunk);
  }

  onResponseEnd(): void {
    if (!this.over) {
      this.#close();
      this.#body?.end();
    }
    this.#place?.release();
  }

  onResponseError(_controller: unknown, error: Error): void {
    if (!this.over) this.#lose(error);
    this.#place?.release();
  }

  /** undici, or the connector below it, ended the request. */
  #lose(error: Error): void {
    if (this.#body) {
      this.#body.fail('reset', `the connection was lost${codeOf(error)}`, { drop: false });
      this.#close();
    } else if (error instanceof ConnectFailure) {
      if (error.rule) this.deny(error.rule, error.message);
      else this.#fail(error.reason, error.message);
    } else if (this.#controller) {
      this.#fail('reset', `the connection was lost${codeOf(error)}`);
    } else {
      // undici's message names the header that cannot be written, not its value.
      this.#fail('connect', `the request cannot be sent: ${error.message}`);
    }
  }

  /** Fails before the response. */
  #fail(reason: OpenFailureReason, what: string): void {
    if (this.over) return;
    this.#close();
    this.#observer.settle({ kind: 'failed', failure: { reason, message: `${this.target.place}: ${what}` } });
    if (this.#controller) this.#controller.abort(new Error(what));
    else this.#place?.leave(this);
  }

  #close(): void {
    this.#over = true;
    clearTimeout(this.#timer);
    this.exchange.signal?.removeEventListener('abort', this);
  }

  static #onDeadline(exchange: LiveExchange): void {
    exchange.#fail('deadline', 'past the deadline');
  }

  static #onHeaderLimit(exchange: LiveExchange): void {
    exchange.#fail('header_timeout', `no response header within ${exchange.exchange.limits.headerMs} ms`);
  }
}

/** undici lists a repeated header's values; only these need work. */
function joined(headers: IncomingHttpHeaders): Record<string, string> {
  for (const name in headers) {
    const value = headers[name];
    if (typeof value === 'object') headers[name] = value.join(', ');
  }
  return headers as Record<string, string>;
}
