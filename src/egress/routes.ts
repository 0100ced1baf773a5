import type { Resolve } from './connector.ts';
import { createGate, type Gate } from './gate.ts';
import type { LiveExchange } from './live-exchange.ts';
import type { DenyRule, EgressRules, Scope } from './model.ts';
import { OriginPool } from './pool.ts';
import { parseTarget, type Target } from './target.ts';

/** What a URL comes to under the rules of one moment: judged once, then kept. */
export type Route =
  | { target: Target; refusal: null; pool: OriginPool }
  | { target: Target | null; refusal: DenyRule };

/** Everything that holds under one version of the rules, for one scope. */
type Realm = { routes: Map<string, Route>; pools: Map<string, OriginPool> };
type Reign = { rules: EgressRules; gate: Gate; realms: Record<Scope, Realm> };

export type RouteOptions = {
  rules: () => EgressRules;
  resolve: Resolve;
  maxConnections?: number;
  /** Exchanges that waited in a pool when the rules changed, to be judged again. */
  readmit: (waiting: LiveExchange[]) => void;
};

/** URLs whose route is kept, and origins whose pool is. Few in practice; the bounds guard against wildcards. */
const MAX_ROUTES = 1024;
const MAX_POOLS = 256;

/**
 * Routes and pools by scope. A change of the rules starts a new reign with new pools, so no connection that was
 * opened under other rules, or for another scope, carries an exchange again.
 */
export class Routes {
  readonly #options: RouteOptions;
  readonly #pools = new Set<OriginPool>();
  #reign: Reign;

  constructor(options: RouteOptions) {
    this.#options = options;
    this.#reign = startReign(options.rules());
  }

  /** Every pool that may still hold sockets. */
  get pools(): ReadonlySet<OriginPool> {
    this.#forgetGone();
    return this.#pools;
  }

  find(url: string, scope: Scope): Route {
    const { routes } = this.#current().realms[scope];
    const known = routes.get(url);
    if (known) return known;
    const route = this.#judge(url, scope);
    if (routes.size >= MAX_ROUTES) routes.clear();
    routes.set(url, route);
    return route;
  }

  #forgetGone(): void {
    for (const pool of this.#pools) if (pool.gone) this.#pools.delete(pool);
  }

  #current(): Reign {
    const rules = this.#options.rules();
    if (sameRules(this.#reign.rules, rules)) return this.#reign;
    const { local, declared } = this.#reign.realms;
    this.#reign = startReign(rules);
    const former = [...local.pools.values(), ...declared.pools.values()];
    this.#options.readmit(former.flatMap((pool) => pool.retire()));
    return this.#reign;
  }

  #judge(url: string, scope: Scope): Route {
    const target = parseTarget(url);
    if (!target) return { target, refusal: 'invalid_url' };
    const refusal = this.#reign.gate.judgeTarget(target, scope);
    return refusal ? { target, refusal } : { target, refusal, pool: this.#poolOf(target.origin, scope) };
  }

  #poolOf(origin: string, scope: Scope): OriginPool {
    const { pools, routes } = this.#reign.realms[scope];
    const known = pools.get(origin);
    if (known) return known;
    if (pools.size >= MAX_POOLS) {
      this.#forgetGone();
      routes.clear();
      for (const [other, pool] of pools) if (pool.unused && pool.retire()) pools.delete(other);
    }
    const { resolve, maxConnections } = this.#options;
    const pool = new OriginPool(origin, {
      refresh: () => this.#current(),
      // By the rules of the moment, which may be newer than the pool.
      judge: (target, addresses) => {
        const { gate } = this.#current();
        const refusal = gate.judgeTarget(target, scope);
        return refusal ? { passed: [], refusal } : gate.judgeAddresses(target, scope, addresses);
      },
      resolve,
      ...(maxConnections === undefined ? {} : { maxConnections }),
    });
    pools.set(origin, pool);
    this.#pools.add(pool);
    return pool;
  }
}

function startReign(rules: EgressRules): Reign {
  // A copy, so that rules changed in place are seen as changed.
  const copy: EgressRules = {
    localOnly: rules.localOnly,
    allow: [...rules.allow],
    allowPrivate: [...rules.allowPrivate],
    declared: [...rules.declared],
  };
  const realm = (): Realm => ({ routes: new Map(), pools: new Map() });
  return { rules: copy, gate: createGate(copy), realms: { local: realm(), declared: realm() } };
}

function sameRules(one: EgressRules, other: EgressRules): boolean {
  return (
    one.localOnly === other.localOnly &&
    sameList(one.allow, other.allow) &&
    sameList(one.allowPrivate, other.allowPrivate) &&
    sameList(one.declared, other.declared)
  );
}

function sameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((entry, index) => entry === other[index]);
}
