// biome-ignore-all lint/style/noExcessiveLinesPerFile: written by `npm run console:types` from /openapi.json.
// Change the gateway, not this.

export type Breaker = {
  deployment: string;
  state: 'closed' | 'open' | 'half_open';
  failures?: number;
  /** ISO 8601. */
  until?: string;
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
