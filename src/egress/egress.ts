import { lookup } from 'node:dns/promises';
import type { Resolve } from './connector.ts';
import { LiveExchange } from './live-exchange.ts';
import type { DenyRule, Egress, EgressObserver, EgressRules, Exchange, NotOpened } from './model.ts';
import { denialMessage } from './refusal.ts';
import { Routes } from './routes.ts';
import type { Target } from './target.ts';

export type EgressOptions = {
  /** Read at every exchange, so it must be cheap; the answer may be the same object changed in place. */
  rules: () => EgressRules;
  observer?: EgressObserver;
  /** All addresses of a name. The system's resolver unless given. */
  resolve?: Resolve;
  /** Connections to one origin, at most; 256 unless given. */
  maxConnections?: number;
};

/** Sets up the gate. Nothing connects before the first exchange. */
export function createEgress({ observer, resolve = resolveAll, ...options }: EgressOptions): Egress {
  let closed = false;
  const routes = new Routes({ ...options, resolve, readmit: (waiting) => waiting.forEach(admit) });

  function report(exchange: Exchange, target: Target | null, reason: DenyRule): void {
    const { host, port } = target ?? { host: '', port: 0 };
    observer?.denied({ host, port, purpose: exchange.purpose, reason });
  }

  function admit(live: LiveExchange): void {
    const route = routes.find(live.exchange.url, live.exchange.scope);
    if (route.refusal) live.deny(route.refusal, denialMessage(route.target, route.refusal));
    else route.pool.submit(live);
  }

  return {
    open(exchange) {
      if (closed) return Promise.resolve(failed('aborted', 'Egress is closed.'));
      const route = routes.find(exchange.url, exchange.scope);
      if (route.refusal) {
        report(exchange, route.target, route.refusal);
        return Promise.resolve(failed('denied', denialMessage(route.target, route.refusal)));
      }
      return new Promise((settle) => {
        const denied = (rule: DenyRule) => report(exchange, route.target, rule);
        const live = new LiveExchange(exchange, route.target, { settle, denied });
        if (!live.over) route.pool.submit(live);
      });
    },

    stats() {
      const sockets = new Map<string, number>();
      for (const { origin, openSockets } of routes.pools) {
        if (openSockets > 0) sockets.set(origin, (sockets.get(origin) ?? 0) + openSockets);
      }
      return sockets;
    },

    async close() {
      closed = true;
      await Promise.all([...routes.pools].map((pool) => pool.destroy()));
    },
  };
}

function failed(reason: 'aborted' | 'denied', message: string): NotOpened {
  return { kind: 'failed', failure: { reason, message } };
}

function resolveAll(hostname: string) {
  return lookup(hostname, { all: true });
}
