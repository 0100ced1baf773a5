import type { Secret } from '../lib/secret.ts';

export const MODES = ['simulation', 'local', 'live'] as const;
export const ROUTINGS = ['local_first', 'cloud_first', 'local_only', 'cloud_only'] as const;
export const FLOORS = ['always', 'roles', 'never'] as const;
export const COMMITS = ['first_output', 'complete'] as const;
export const CONTENTS = ['full', 'digest', 'off'] as const;
export const DURABILITIES = ['relaxed', 'strict'] as const;
export const TIERS = ['live', 'local', 'simulation'] as const;

export type Mode = (typeof MODES)[number];
export type Routing = (typeof ROUTINGS)[number];
export type Floor = (typeof FLOORS)[number];
export type Commit = (typeof COMMITS)[number];
export type Content = (typeof CONTENTS)[number];
export type Durability = (typeof DURABILITIES)[number];
export type Tier = (typeof TIERS)[number];

/** Limits of one attempt, in milliseconds, each counted from its own start. */
export type AttemptLimits = {
  /** Opening the connection: name look-up, TCP and TLS together. */
  connectMs: number;
  /** From the request written to the response header. */
  headerMs: number;
  /** From the response header to the first real output (text, tool call, refusal) of a stream. */
  firstTokenMs: number;
  /** Between two reads of a body that has begun. */
  idleMs: number;
};

export type Limits = {
  /** All attempts of one call together. */
  totalMs: number;
  /** How often one target is asked again after a failure that may pass. */
  retriesPerTarget: number;
  /** What each candidate still to come keeps of the total. */
  minPerCandidateMs: number;
  live: AttemptLimits;
  local: AttemptLimits;
};

export type BreakerSettings = {
  /** Consecutive failures that open it. */
  failures: number;
  /** The time within which they must fall. */
  windowMs: number;
  /** How long it stays open before one probe is let through. */
  coolDownMs: number;
};

export type Auth =
  | { type: 'none' }
  /** `header` is `authorization` (sent as `Bearer …`) unless the target wants the bare key elsewhere, as `api-key`. */
  | { type: 'api_key'; key: Secret | null; header: string; source: string }
  | { type: 'entra'; scope: string };

/** What a deployment can do. Absent means not known: it is tried, and what is learnt is remembered. */
export type Capabilities = {
  tools?: boolean;
  jsonSchema?: boolean;
  jsonObject?: boolean;
  logprobs?: boolean;
  embeddings?: boolean;
  streamUsage?: boolean;
};

/** Money per million tokens. */
export type Price = { inputPerM: number; outputPerM: number; currency: string };

/** One model behind one base URL. */
export type Deployment = {
  id: string;
  tier: 'live' | 'local';
  /** The OpenAI-compatible root, as `http://127.0.0.1:11434/v1`, without a slash at the end. */
  baseUrl: string;
  auth: Auth;
  /** The name sent to this target and to no other. */
  model: string;
  /** In tokens, input and output together. */
  contextWindow?: number;
  capabilities: Capabilities;
  price?: Price;
};

/** A role's chains: deployment ids in order, per tier, all inheritance resolved. */
export type Role = {
  name: string;
  live: readonly string[];
  local: readonly string[];
  commit?: Commit;
  /** Whether simulated text is honest for this role, so that the floor may end its plans (`floor: roles`). */
  simulator: boolean;
};

export type ServerSettings = {
  host: string;
  port: number;
  maxBodyBytes: number;
  /** `auto`: keys are needed beyond loopback only. `required`: always. */
  auth: 'auto' | 'required';
  /** How long requests in flight may go on after a stop was asked for. */
  drainMs: number;
};

export type LedgerSettings = {
  /** The file that signed heads are appended to; `ledger-anchor.jsonl` in the data folder when absent. */
  anchor?: string | undefined;
  /** `strict`: a call's events and its receipt are stored before its answer is given out. `relaxed`: within the next batch. */
  durability: Durability;
};

export type TelemetrySettings = {
  /** The base URL of an OTLP/HTTP receiver; `/v1/traces` is added. Absent: nothing is exported. */
  otlpEndpoint?: string | undefined;
  /** OpenTelemetry's `service.name`. */
  serviceName: string;
};

/** Every setting in force, validated and complete. Rooms read it at each call, so a change needs no restart. */
export type Settings = {
  mode: Mode;
  routing: Routing;
  floor: Floor;
  commit: Commit;
  content: Content;
  server: ServerSettings;
  dataDir: string;
  /** Absent: the embedded database. */
  databaseUrl: Secret | null;
  limits: Limits;
  breaker: BreakerSettings;
  deployments: readonly Deployment[];
  /** Chains of `model: "auto"`, and of roles that set none. */
  defaults: { live: readonly string[]; local: readonly string[] };
  roles: readonly Role[];
  egress: { allow: readonly string[]; allowPrivate: readonly string[] };
  ledger: LedgerSettings;
  telemetry: TelemetrySettings;
};

/** Where a value came from. `detail` is the file, the variable, the flag, or who changed it and when. */
export type Origin = {
  kind: 'default' | 'file' | 'environment' | 'console' | 'flag' | 'inherited';
  detail?: string;
};

export type ResolvedSettings = {
  settings: Settings;
  /** By path: `mode`, `limits.totalMs`, `roles.narrator.local`, `deployments.ollama.model`. */
  origins: ReadonlyMap<string, Origin>;
  /** Settings that are valid but surely not meant, as mode `local` with routing `cloud_only`. */
  warnings: readonly string[];
};
