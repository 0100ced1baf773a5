// biome-ignore-all lint/style/noExcessiveLinesPerFile: written by `npm run console:types` from /openapi.json.
// Change the gateway, not this.

export type Breaker = {
  deployment: string;
  state: 'closed' | 'open' | 'half_open';
  failures?: number;
  /** ISO 8601. */
  until?: string;
};

export type CausalChain = {
  /** From the root to the event. */
  path: Event[];
  /** What it caused, and what that caused, oldest first. */
  effects: Event[];
};

export type ChatCompletion = {
  id: string;
  object: 'chat.completion';
  created: number;
  /** The model that served. */
  model: string;
  choices: {
    index: number;
    message: {
      role: 'assistant';
      content: string | null;
    };
    finish_reason: 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'function_call' | null;
  }[];
  usage?: {
    prompt_tokens: number;
    completion_tokens: number;
    total_tokens: number;
    source?: 'estimated' | 'simulated';
  };
  /** With `x-tiercel-include: receipt`. */
  tiercel?: Receipt;
};

export type ChatCompletionRequest = {
  /** `auto`, `role:<name>`, a deployment id, or `simulation`. */
  model: string;
  messages: ChatMessage[];
  stream?: boolean | null;
  stream_options?: {
    include_usage?: boolean;
  } | null;
  tools?:
    | {
        type: string;
        function?: {
          name: string;
          description?: string | null;
          parameters?: Record<string, unknown>;
        };
      }[]
    | null;
  tool_choice?:
    | 'none'
    | 'auto'
    | 'required'
    | {
        type: string;
      }
    | null;
  parallel_tool_calls?: boolean | null;
  response_format?:
    | {
        type: 'text';
      }
    | {
        type: 'json_object';
      }
    | {
        type: 'json_schema';
        json_schema: {
          name: string;
          schema?: Record<string, unknown>;
          strict?: boolean | null;
        };
      }
    | null;
  temperature?: number | null;
  top_p?: number | null;
  max_tokens?: number | null;
  max_completion_tokens?: number | null;
  reasoning_effort?: string | null;
  seed?: number | null;
  n?: number | null;
  stop?: string | string[] | null;
};

export type ChatMessage = {
  role: 'system' | 'developer' | 'user' | 'assistant' | 'tool' | 'function';
  content?:
    | string
    | {
        type: string;
        text?: string;
      }[]
    | null;
  name?: string;
  tool_calls?:
    | {
        id: string;
        type: string;
        function?: {
          name: string;
          arguments: string;
        };
      }[]
    | null;
  tool_call_id?: string;
};

export type Deployment = {
  id: string;
  tier: 'live' | 'local';
  model: string;
  /** `standby`: mode and routing forbid it, so it is not asked. */
  state: 'connected' | 'not_configured' | 'unreachable' | 'standby' | 'breaker_open' | 'unknown';
  /** Why, in words. */
  detail?: string;
  /** Milliseconds. */
  latencyMs?: number;
  /** When an open breaker lets a call through. */
  until?: string;
  /** What its query holds is shown as `[secret]`; sent back so, it is kept. */
  baseUrl: string;
  auth: {
    type: 'none' | 'api_key' | 'entra';
    header?: string;
    /** The variable, or the file, that holds the key. */
    source?: string;
    /** Whether a key was found there. */
    present?: boolean;
    scope?: string;
  };
  capabilities: Record<string, boolean>;
  contextWindow?: number;
  price?: {
    inputPerM: number;
    outputPerM: number;
    currency: string;
  };
  origin: {
    kind: 'default' | 'file' | 'environment' | 'console' | 'flag' | 'inherited';
    detail?: string;
  };
  /** Whether it, or what overrides it, was defined at run time. */
  removable: boolean;
  /** The settings whose chains name it, as `defaults.local`. */
  chains: string[];
  breaker: Breaker;
  lastProbe:
    | (Probe & {
        /** ISO 8601. */
        at: string;
      })
    | null;
};

export type DeploymentDefinition = {
  tier: 'live' | 'local';
  baseUrl: string;
  auth?: {
    type: 'api_key' | 'entra' | 'none';
    env?: string;
    file?: string;
    header?: string;
    scope?: string;
  };
  model: string;
  contextWindow?: number;
  capabilities?: {
    tools?: boolean;
    jsonSchema?: boolean;
    jsonObject?: boolean;
    logprobs?: boolean;
    embeddings?: boolean;
    streamUsage?: boolean;
  };
  price?: {
    inputPerM: number;
    outputPerM: number;
    currency?: string;
  };
};

export type DeploymentHealth = {
  id: string;
  tier: 'live' | 'local';
  model: string;
  /** `standby`: mode and routing forbid it, so it is not asked. */
  state: 'connected' | 'not_configured' | 'unreachable' | 'standby' | 'breaker_open' | 'unknown';
  /** Why, in words. */
  detail?: string;
  /** Milliseconds. */
  latencyMs?: number;
  /** When an open breaker lets a call through. */
  until?: string;
};

export type Embeddings = {
  object: 'list';
  model: string;
  data: {
    object: 'embedding';
    index: number;
    embedding: number[] | string;
  }[];
  usage: {
    prompt_tokens: number;
    total_tokens: number;
    source?: 'estimated';
  };
  /** With `x-tiercel-include: receipt`. */
  tiercel?: Receipt;
};

export type EmbeddingsRequest = {
  model: string;
  input: string | string[] | number[] | number[][];
  encoding_format?: 'float' | 'base64';
  dimensions?: number;
};

export type Error = {
  error: {
    message: string;
    type: string;
    code:
      | 'invalid_json'
      | 'invalid_request'
      | 'unsupported_content_type'
      | 'body_too_large'
      | 'invalid_header'
      | 'model_not_found'
      | 'context_length_exceeded'
      | 'upstream_rejected_request'
      | 'content_filtered'
      | 'client_closed'
      | 'not_found'
      | 'method_not_allowed'
      | 'receipt_not_found'
      | 'run_not_found'
      | 'event_not_found'
      | 'key_not_found'
      | 'deployment_not_found'
      | 'invalid_api_key'
      | 'host_not_allowed'
      | 'origin_not_allowed'
      | 'forbidden'
      | 'policy_denied'
      | 'suspended'
      | 'budget_exceeded'
      | 'per_request_tokens_exceeded'
      | 'egress_denied'
      | 'upstream_unreachable'
      | 'upstream_timeout'
      | 'upstream_rate_limited'
      | 'upstream_unavailable'
      | 'upstream_credentials'
      | 'upstream_model_not_found'
      | 'upstream_unsupported_parameter'
      | 'upstream_invalid_response'
      | 'upstream_truncated'
      | 'answer_invalid'
      | 'no_candidate'
      | 'embedder_unavailable'
      | 'deadline_exceeded'
      | 'stopping'
      | 'not_ready'
      | 'internal_error'
      | 'config_invalid'
      | 'config_unreadable'
      | 'keys_required'
      | 'address_in_use'
      | 'data_folder_locked'
      | 'database_unreachable'
      | 'database_unsupported'
      | 'database_corrupt'
      | 'server_not_running';
    /** The field, header or setting at fault. */
    param: string | null;
    receipt_id?: string;
  };
};

export type Event = {
  id: string;
  /** ISO 8601. */
  ts: string;
  runId: string;
  traceId: string;
  spanId: string;
  /** The event that caused this one. */
  causeId?: string;
  /** One of docs/events.md, or an app’s own. */
  type: string;
  actor: string;
  tier?: string;
  message: string;
  payload: Record<string, unknown>;
  /** The chain. */
  writer: string;
  /** Its number in the chain, from 1. */
  seq: number;
  prevHash: string;
  /** SHA-256 of the canonical JSON of all other members. */
  hash: string;
};

export type Exclusion = {
  deployment: string;
  tier: 'live' | 'local' | 'simulation';
  reason:
    | 'routing_forbids'
    | 'not_configured'
    | 'breaker_open'
    | 'policy_denied'
    | 'context_too_small'
    | 'capability_missing'
    | 'suspended';
};

export type Key = {
  id: string;
  name: string;
  principal: string;
  admin: boolean;
  prefix: string;
  /** ISO 8601. */
  createdAt: string;
  revokedAt: string | null;
};

export type Ledger = {
  /** The chain that this server writes. */
  writer: string;
  chains: {
    writer: string;
    head: {
      seq: number;
      hash: string;
    };
    archived: {
      seq: number;
      hash: string;
    };
  }[];
  /** Events in the database. */
  count: number;
  /** The latest, newest first. */
  checkpoints: Event[];
  /** The file that signed heads are appended to. */
  anchor: string;
  /** Ed25519, raw, base64url. */
  publicKey: string;
  /** Of the whole, since the server started. */
  lastVerified: {
    /** ISO 8601. */
    at: string;
    report: Verification;
  } | null;
};

export type Model = {
  id: string;
  object: 'model';
  created: number;
  owned_by: 'tiercel';
  tiercel: {
    kind: 'auto' | 'role' | 'deployment' | 'simulation';
    /** Of whoever would be asked first now. */
    tier: 'live' | 'local' | 'simulation' | null;
    label: 'simulation' | 'local' | 'live' | 'hybrid' | 'none';
    /** The name that a deployment’s target knows. */
    model?: string;
  };
};

export type Overview = {
  /** ISO 8601. */
  now: string;
  version: string;
  database: 'embedded' | 'postgres';
  mode: 'simulation' | 'local' | 'live';
  routing: 'local_first' | 'cloud_first' | 'local_only' | 'cloud_only';
  floor: 'always' | 'roles' | 'never';
  /** Of `auto`, as its plan. */
  label: 'simulation' | 'local' | 'live' | 'hybrid' | 'none';
  plan: {
    candidates: {
      tier: 'live' | 'local' | 'simulation';
      deployment: string;
      model: string;
    }[];
    excluded: Exclusion[];
  };
  deployments: DeploymentHealth[];
  /** One for each minute; the last is the one that is passing. */
  buckets: {
    /** ISO 8601. */
    at: string;
    /** By the tier that served, as are the two below; `cancelled` included. */
    live: number;
    local: number;
    simulation: number;
    /** Outcome `error` or `truncated`. */
    failed: number;
    fallbacks: number;
    /** Of the calls with outcome `ok`. */
    p50Ms: number | null;
    p95Ms: number | null;
    inputTokens: number;
    outputTokens: number;
    /** In the currency of `totals.cost`. */
    cost: number;
  }[];
  totals: {
    requests: number;
    /** Outcome `error` or `truncated`. */
    failed: number;
    fallbacks: number;
    /** Of the calls with outcome `ok`. */
    p50Ms: number | null;
    p95Ms: number | null;
    inputTokens: number;
    outputTokens: number;
    /** In the currency that most calls were billed in; others are not added. Null: nothing had a price. */
    cost: {
      amount: number;
      currency: string;
    } | null;
  };
  attention: {
    kind: 'breaker_open' | 'unreachable' | 'not_configured' | 'warning';
    text: string;
    /** A path of the console. */
    href: string;
  }[];
};

export type Plan = {
  model: string;
  label: 'simulation' | 'local' | 'live' | 'hybrid' | 'none';
  candidates: {
    tier: 'live' | 'local' | 'simulation';
    deployment: string;
    model: string;
  }[];
  excluded: Exclusion[];
  displaced:
    | 'routing_forbids'
    | 'not_configured'
    | 'breaker_open'
    | 'policy_denied'
    | 'context_too_small'
    | 'capability_missing'
    | 'suspended'
    | null;
};

export type Probe =
  | {
      ok: true;
      deployment: string;
      /** Milliseconds. */
      latencyMs: number;
      models: string[];
      servesModel: boolean | null;
    }
  | {
      ok: false;
      deployment: string;
      /** Milliseconds. */
      latencyMs: number;
      code: string;
      message: string;
    };

export type Receipt = {
  id: string;
  traceId: string;
  parentSpanId?: string;
  causeId?: string;
  kind: 'chat' | 'embeddings';
  role: string | null;
  principal: string;
  mode: 'simulation' | 'local' | 'live';
  routing: 'local_first' | 'cloud_first' | 'local_only' | 'cloud_only';
  label: 'simulation' | 'local' | 'live' | 'hybrid' | 'none';
  /** What the caller named as `model`. */
  requested: string;
  streamed: boolean;
  served: {
    tier: 'live' | 'local' | 'simulation';
    deployment: string;
    provider: string;
    model: string;
  } | null;
  outcome: 'ok' | 'error' | 'truncated' | 'cancelled';
  errorCode?:
    | 'invalid_json'
    | 'invalid_request'
    | 'unsupported_content_type'
    | 'body_too_large'
    | 'invalid_header'
    | 'model_not_found'
    | 'context_length_exceeded'
    | 'upstream_rejected_request'
    | 'content_filtered'
    | 'client_closed'
    | 'not_found'
    | 'method_not_allowed'
    | 'receipt_not_found'
    | 'run_not_found'
    | 'event_not_found'
    | 'key_not_found'
    | 'deployment_not_found'
    | 'invalid_api_key'
    | 'host_not_allowed'
    | 'origin_not_allowed'
    | 'forbidden'
    | 'policy_denied'
    | 'suspended'
    | 'budget_exceeded'
    | 'per_request_tokens_exceeded'
    | 'egress_denied'
    | 'upstream_unreachable'
    | 'upstream_timeout'
    | 'upstream_rate_limited'
    | 'upstream_unavailable'
    | 'upstream_credentials'
    | 'upstream_model_not_found'
    | 'upstream_unsupported_parameter'
    | 'upstream_invalid_response'
    | 'upstream_truncated'
    | 'answer_invalid'
    | 'no_candidate'
    | 'embedder_unavailable'
    | 'deadline_exceeded'
    | 'stopping'
    | 'not_ready'
    | 'internal_error'
    | 'config_invalid'
    | 'config_unreadable'
    | 'keys_required'
    | 'address_in_use'
    | 'data_folder_locked'
    | 'database_unreachable'
    | 'database_unsupported'
    | 'database_corrupt'
    | 'server_not_running';
  fallbackReason?: string;
  attempts: {
    tier: 'live' | 'local' | 'simulation';
    deployment: string;
    model: string;
    outcome: 'served' | 'failed' | 'truncated' | 'cancelled';
    errorCode?:
      | 'invalid_json'
      | 'invalid_request'
      | 'unsupported_content_type'
      | 'body_too_large'
      | 'invalid_header'
      | 'model_not_found'
      | 'context_length_exceeded'
      | 'upstream_rejected_request'
      | 'content_filtered'
      | 'client_closed'
      | 'not_found'
      | 'method_not_allowed'
      | 'receipt_not_found'
      | 'run_not_found'
      | 'event_not_found'
      | 'key_not_found'
      | 'deployment_not_found'
      | 'invalid_api_key'
      | 'host_not_allowed'
      | 'origin_not_allowed'
      | 'forbidden'
      | 'policy_denied'
      | 'suspended'
      | 'budget_exceeded'
      | 'per_request_tokens_exceeded'
      | 'egress_denied'
      | 'upstream_unreachable'
      | 'upstream_timeout'
      | 'upstream_rate_limited'
      | 'upstream_unavailable'
      | 'upstream_credentials'
      | 'upstream_model_not_found'
      | 'upstream_unsupported_parameter'
      | 'upstream_invalid_response'
      | 'upstream_truncated'
      | 'answer_invalid'
      | 'no_candidate'
      | 'embedder_unavailable'
      | 'deadline_exceeded'
      | 'stopping'
      | 'not_ready'
      | 'internal_error'
      | 'config_invalid'
      | 'config_unreadable'
      | 'keys_required'
      | 'address_in_use'
      | 'data_folder_locked'
      | 'database_unreachable'
      | 'database_unsupported'
      | 'database_corrupt'
      | 'server_not_running';
    httpStatus?: number;
    repairs: string[];
    /** ISO 8601. */
    startedAt: string;
    /** Milliseconds. */
    headerMs?: number;
    /** Milliseconds. */
    firstTokenMs?: number;
    /** Milliseconds. */
    durationMs: number;
  }[];
  excluded: Exclusion[];
  usage: {
    inputTokens: number;
    outputTokens: number;
    reasoningTokens?: number;
    source: 'reported' | 'estimated' | 'simulated';
  };
  cost?: {
    amount: number;
    currency: string;
    priceSource: 'config';
  };
  malformedEvents?: number;
  proof: {
    retrievalHits: string[];
    memoryInjected: string[];
    toolsOffered: string[];
    toolsCalled: string[];
  };
  policyDigest: string | null;
  /** ISO 8601. */
  startedAt: string;
  /** Milliseconds. */
  firstTokenMs?: number;
  /** Milliseconds. */
  durationMs: number;
};

export type RoleMap = {
  defaults: {
    live: {
      chain: {
        deployment: string;
        model: string;
      }[];
      /** `inherited`: from another role or the defaults, which `detail` names. */
      origin: {
        kind: 'default' | 'file' | 'environment' | 'console' | 'flag' | 'inherited';
        detail?: string;
      };
    };
    local: {
      chain: {
        deployment: string;
        model: string;
      }[];
      /** `inherited`: from another role or the defaults, which `detail` names. */
      origin: {
        kind: 'default' | 'file' | 'environment' | 'console' | 'flag' | 'inherited';
        detail?: string;
      };
    };
  };
  roles: {
    name: string;
    live: {
      chain: {
        deployment: string;
        model: string;
      }[];
      /** `inherited`: from another role or the defaults, which `detail` names. */
      origin: {
        kind: 'default' | 'file' | 'environment' | 'console' | 'flag' | 'inherited';
        detail?: string;
      };
    };
    local: {
      chain: {
        deployment: string;
        model: string;
      }[];
      /** `inherited`: from another role or the defaults, which `detail` names. */
      origin: {
        kind: 'default' | 'file' | 'environment' | 'console' | 'flag' | 'inherited';
        detail?: string;
      };
    };
    commit?: 'first_output' | 'complete';
    simulator: boolean;
    label: 'simulation' | 'local' | 'live' | 'hybrid' | 'none';
  }[];
};

export type Run = {
  run: RunSummary;
  receipts: {
    id: string;
    traceId: string;
    parentSpanId?: string;
    causeId?: string;
    kind: 'chat' | 'embeddings';
    role: string | null;
    principal: string;
    mode: 'simulation' | 'local' | 'live';
    routing: 'local_first' | 'cloud_first' | 'local_only' | 'cloud_only';
    label: 'simulation' | 'local' | 'live' | 'hybrid' | 'none';
    /** What the caller named as `model`. */
    requested: string;
    streamed: boolean;
    served: {
      tier: 'live' | 'local' | 'simulation';
      deployment: string;
      provider: string;
      model: string;
    } | null;
    outcome: 'ok' | 'error' | 'truncated' | 'cancelled';
    errorCode?:
      | 'invalid_json'
      | 'invalid_request'
      | 'unsupported_content_type'
      | 'body_too_large'
      | 'invalid_header'
      | 'model_not_found'
      | 'context_length_exceeded'
      | 'upstream_rejected_request'
      | 'content_filtered'
      | 'client_closed'
      | 'not_found'
      | 'method_not_allowed'
      | 'receipt_not_found'
      | 'run_not_found'
      | 'event_not_found'
      | 'key_not_found'
      | 'deployment_not_found'
      | 'invalid_api_key'
      | 'host_not_allowed'
      | 'origin_not_allowed'
      | 'forbidden'
      | 'policy_denied'
      | 'suspended'
      | 'budget_exceeded'
      | 'per_request_tokens_exceeded'
      | 'egress_denied'
      | 'upstream_unreachable'
      | 'upstream_timeout'
      | 'upstream_rate_limited'
      | 'upstream_unavailable'
      | 'upstream_credentials'
      | 'upstream_model_not_found'
      | 'upstream_unsupported_parameter'
      | 'upstream_invalid_response'
      | 'upstream_truncated'
      | 'answer_invalid'
      | 'no_candidate'
      | 'embedder_unavailable'
      | 'deadline_exceeded'
      | 'stopping'
      | 'not_ready'
      | 'internal_error'
      | 'config_invalid'
      | 'config_unreadable'
      | 'keys_required'
      | 'address_in_use'
      | 'data_folder_locked'
      | 'database_unreachable'
      | 'database_unsupported'
      | 'database_corrupt'
      | 'server_not_running';
    fallbackReason?: string;
    attempts: {
      tier: 'live' | 'local' | 'simulation';
      deployment: string;
      model: string;
      outcome: 'served' | 'failed' | 'truncated' | 'cancelled';
      errorCode?:
        | 'invalid_json'
        | 'invalid_request'
        | 'unsupported_content_type'
        | 'body_too_large'
        | 'invalid_header'
        | 'model_not_found'
        | 'context_length_exceeded'
        | 'upstream_rejected_request'
        | 'content_filtered'
        | 'client_closed'
        | 'not_found'
        | 'method_not_allowed'
        | 'receipt_not_found'
        | 'run_not_found'
        | 'event_not_found'
        | 'key_not_found'
        | 'deployment_not_found'
        | 'invalid_api_key'
        | 'host_not_allowed'
        | 'origin_not_allowed'
        | 'forbidden'
        | 'policy_denied'
        | 'suspended'
        | 'budget_exceeded'
        | 'per_request_tokens_exceeded'
        | 'egress_denied'
        | 'upstream_unreachable'
        | 'upstream_timeout'
        | 'upstream_rate_limited'
        | 'upstream_unavailable'
        | 'upstream_credentials'
        | 'upstream_model_not_found'
        | 'upstream_unsupported_parameter'
        | 'upstream_invalid_response'
        | 'upstream_truncated'
        | 'answer_invalid'
        | 'no_candidate'
        | 'embedder_unavailable'
        | 'deadline_exceeded'
        | 'stopping'
        | 'not_ready'
        | 'internal_error'
        | 'config_invalid'
        | 'config_unreadable'
        | 'keys_required'
        | 'address_in_use'
        | 'data_folder_locked'
        | 'database_unreachable'
        | 'database_unsupported'
        | 'database_corrupt'
        | 'server_not_running';
      httpStatus?: number;
      repairs: string[];
      /** ISO 8601. */
      startedAt: string;
      /** Milliseconds. */
      headerMs?: number;
      /** Milliseconds. */
      firstTokenMs?: number;
      /** Milliseconds. */
      durationMs: number;
    }[];
    excluded: Exclusion[];
    usage: {
      inputTokens: number;
      outputTokens: number;
      reasoningTokens?: number;
      source: 'reported' | 'estimated' | 'simulated';
    };
    cost?: {
      amount: number;
      currency: string;
      priceSource: 'config';
    };
    malformedEvents?: number;
    proof: {
      retrievalHits: string[];
      memoryInjected: string[];
      toolsOffered: string[];
      toolsCalled: string[];
    };
    policyDigest: string | null;
    /** ISO 8601. */
    startedAt: string;
    /** Milliseconds. */
    firstTokenMs?: number;
    /** Milliseconds. */
    durationMs: number;
    /** With `contents=true`: what was asked and answered as JSON, or its digest, where it was kept. */
    contents?: {
      request?: string;
      answer?: string;
    };
  }[];
  /** Oldest first. */
  events: Event[];
  spans: Span[];
};

export type RunSummary = {
  id: string;
  /** ISO 8601. */
  startedAt: string;
  /** Null while it goes on. */
  endedAt: string | null;
  requested: string;
  role: string | null;
  principal: string;
  served: {
    tier: 'live' | 'local' | 'simulation';
    deployment: string;
    provider: string;
    model: string;
  } | null;
  outcome: 'ok' | 'error' | 'truncated' | 'cancelled' | 'running';
  fallbackReason?: string;
  durationMs: number;
  usage: {
    inputTokens: number;
    outputTokens: number;
    reasoningTokens?: number;
    source: 'reported' | 'estimated' | 'simulated';
  };
  cost?: {
    amount: number;
    currency: string;
  };
  receiptIds: string[];
};

export type SettingHistory = {
  changes: {
    version: number;
    path: string;
    /** Null: an earlier change was taken back. */
    value: unknown;
    /** What the path had been changed to before; null: nothing, so file and environment decided. */
    previous: unknown;
    author: string;
    /** ISO 8601. */
    at: string;
  }[];
};

export type Settings = {
  /** Of the last change at run time; 0 when there was none. */
  version: number;
  settings: {
    path: string;
    value: unknown;
    origin: {
      kind: 'default' | 'file' | 'environment' | 'console' | 'flag' | 'inherited';
      detail?: string;
    };
  }[];
  warnings: string[];
  /** Paths that may be changed at run time. */
  changeable: string[];
};

export type SettingsPreview = {
  dryRun: true;
  /** Who would serve the next call, now and after the change. */
  plans: {
    /** `auto` or `role:<name>`. */
    model: string;
    /** Whether label, candidates or exclusions would differ. */
    changed: boolean;
    before: {
      label: 'simulation' | 'local' | 'live' | 'hybrid' | 'none';
      candidates: {
        tier: 'live' | 'local' | 'simulation';
        deployment: string;
        model: string;
      }[];
      excluded: Exclusion[];
    };
    after: {
      label: 'simulation' | 'local' | 'live' | 'hybrid' | 'none';
      candidates: {
        tier: 'live' | 'local' | 'simulation';
        deployment: string;
        model: string;
      }[];
      excluded: Exclusion[];
    };
  }[];
  /** Of the settings after the change. */
  warnings: string[];
};

export type Span = {
  id: string;
  parentId: string | null;
  kind: 'run' | 'plan' | 'attempt' | 'tool' | 'approval';
  name: string;
  tier?: 'live' | 'local' | 'simulation';
  /** Milliseconds from the run’s start. */
  startMs: number;
  endMs: number | null;
  marks?: {
    /** Milliseconds from the run’s start. */
    at: number;
    name: string;
  }[];
  outcome: string;
  detail: Record<string, unknown> | null;
};

export type Verification = {
  intact: boolean;
  events: number;
  chains: {
    writer: string;
    first: number;
    last: number;
    events: number;
    archivedThrough: number;
    checkpoints: number;
    foreignCheckpoints: number;
    findings: (
      | {
          kind: 'altered';
          seq: number;
          reason: string;
        }
      | {
          kind: 'gap';
          after: number;
          next: number;
        }
      | {
          kind: 'truncated';
          last: number;
          expected: number;
          witness: 'anchor' | 'head';
        }
      | {
          kind: 'signature';
          seq: number;
          reason: string;
        }
      | {
          kind: 'torn';
          after: number;
        }
    )[];
  }[];
  anchor: {
    heads: number;
    badLines: number[];
    torn: boolean;
  } | null;
};
