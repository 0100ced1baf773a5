import { answer, type Behaviour, type BehaviourTable, isObject, numberInName, okReply } from './behaviour.ts';
import { errorBody, type Json, textReply } from './chunks.ts';
import type { Exchange } from './exchange.ts';

/** Answers that are not an answer: HTTP statuses, error bodies, other documents. */
export const REJECTIONS: BehaviourTable = {
  'status-{503}': {
    meaning: 'this HTTP status with an error body',
    play: (exchange) => exchange.json(numberInName(exchange), statusBody(numberInName(exchange))),
  },
  'status-429-retry-{2}': {
    meaning: '429 with Retry-After in seconds',
    play: (exchange) =>
      exchange.json(429, statusBody(429), { 'retry-after': String(numberInName(exchange)) }),
  },
  'status-429-date-{3}': {
    meaning: '429 with Retry-After as an HTTP date so many seconds ahead',
    play: (exchange) =>
      exchange.json(429, statusBody(429), { 'retry-after': dateAhead(numberInName(exchange)) }),
  },
  'down-{5000}ms': {
    meaning: '503 for this long from the first request on, then ok',
    play: (exchange) =>
      exchange.invocation.sinceFirstMs < numberInName(exchange)
        ? exchange.json(503, statusBody(503))
        : answer(exchange, okReply()),
  },
  'error-200': fixed('HTTP 200 with an error object as the body', 200, { error: { message: 'overloaded' } }),
  'insufficient-quota': fixed(
    '429 insufficient_quota, no Retry-After',
    429,
    errorBody(
      'You exceeded your current quota, please check your plan and billing details.',
      'insufficient_quota',
      'insufficient_quota',
    ),
  ),
  unauthorized: fixed(
    '401 invalid_api_key',
    401,
    errorBody('Incorrect API key provided: sk-fa***lty.', 'invalid_request_error', 'invalid_api_key'),
  ),
  'needs-key': {
    meaning: 'needs-key/SECRET answers 401 unless Authorization: Bearer or api-key is SECRET',
    play: (exchange) =>
      hasKey(exchange) ? answer(exchange, okReply()) : REJECTIONS['unauthorized']?.play(exchange),
  },
  'model-not-found': {
    meaning: '404 model_not_found',
    play: (exchange) => exchange.json(404, modelNotFound(exchange.invocation.model)),
  },
  'model-not-pulled': {
    meaning: '404 in Ollama’s words, without a code',
    play: (exchange) => {
      const message = `model "${exchange.invocation.model}" not found, try pulling it first`;
      exchange.json(404, errorBody(message, 'api_error', null));
    },
  },
  'context-too-long': fixed(
    '400 context_length_exceeded',
    400,
    errorBody(
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens. Please reduce the length of the messages.",
      'invalid_request_error',
      'context_length_exceeded',
      'messages',
    ),
  ),
  'content-filter': fixed('400 content_filter, as Azure OpenAI refuses a prompt', 400, {
    error: {
      message:
        "The response was filtered due to the prompt triggering Azure OpenAI's content management policy. Please modify your prompt and retry.",
      type: null,
      param: 'prompt',
      code: 'content_filter',
      status: 400,
      innererror: {
        code: 'ResponsibleAIPolicyViolation',
        content_filter_result: { violence: { filtered: true, severity: 'high' } },
      },
    },
  }),
  'params-picky': pickyBehaviour('400 on max_tokens, then on temperature other than 1', () => [
    'max_tokens',
    'temperature',
  ]),
  picky: pickyBehaviour(
    'picky/stream_options,json_schema,developer answers 400 on each named parameter, in this order',
    ({ invocation }) => (invocation.argument ?? '').split(','),
  ),
  'no-response-format': {
    meaning: '400 "response_format unsupported"; without it, JSON',
    play: (exchange) =>
      exchange.body['response_format'] === undefined
        ? answer(exchange, textReply(['{"title":', '"right"}']))
        : exchange.json(400, errorBody('response_format unsupported', 'invalid_request_error', null)),
  },
  'quotes-{503}': {
    meaning: 'this status with a message that repeats the key, the URL and the body it got',
    play: (exchange) =>
      exchange.json(numberInName(exchange), errorBody(quoted(exchange), 'server_error', null)),
  },
  redirect: {
    meaning: '302 to a public host, or to the URL after redirect/',
    play: (exchange) => {
      const location = exchange.invocation.argument ?? 'https://example.com/v1/chat/completions';
      exchange.send(302, 'text/plain', '', { location });
    },
  },
  'html-200': {
    meaning: 'HTTP 200 with an HTML page, as a captive portal answers',
    play: (exchange) =>
      exchange.send(200, 'text/html', '<!doctype html><title>Sign in</title><p>Welcome to the network.'),
  },
  'empty-200': {
    meaning: 'HTTP 200 with no body at all',
    play: (exchange) => exchange.send(200, 'application/json', ''),
  },
  'no-choices': fixed('HTTP 200 with JSON that has no choices', 200, { id: 'chatcmpl-faulty', choices: [] }),
};

/** The 404 body for a model that does not exist. */
export function modelNotFound(model: string): Json {
  const message = `The model \`${model}\` does not exist or you do not have access to it.`;
  return errorBody(message, 'invalid_request_error', 'model_not_found', 'model');
}

function fixed(meaning: string, status: number, body: Json): Behaviour {
  return { meaning, play: (exchange) => exchange.json(status, body) };
}

function statusBody(status: number): Json {
  if (status === 429) {
    return errorBody('Rate limit reached for requests.', 'requests', 'rate_limit_exceeded');
  }
  return status >= 500
    ? errorBody('The server is overloaded or not ready yet.', 'server_error', null)
    : errorBody(`The request was answered with ${status}.`, 'invalid_request_error', null);
}

/** Rounded up to a whole second, the resolution of HTTP dates, so that it is never too early. */
function dateAhead(seconds: number): string {
  return new Date(Math.ceil(Date.now() / 1000 + seconds) * 1000).toUTCString();
}

function hasKey({ request, invocation }: Exchange): boolean {
  const { authorization, 'api-key': apiKey } = request.headers;
  const wanted = invocation.argument ?? '';
  return authorization === `Bearer ${wanted}` || apiKey === wanted;
}

function quoted({ request, bodyText }: Exchange): string {
  const { authorization, 'api-key': apiKey } = request.headers;
  return `Failed for ${authorization ?? apiKey ?? 'no key'} at ${request.url}: ${bodyText}`;
}

function pickyBehaviour(meaning: string, disliked: (exchange: Exchange) => readonly string[]): Behaviour {
  return {
    meaning,
    play: (exchange) => {
      for (const parameter of disliked(exchange)) {
        const objection = objectionTo(parameter, exchange.body);
        if (objection !== null) return exchange.json(400, objection);
      }
      return answer(exchange, okReply());
    },
  };
}

/** OpenAI's error for the parameter, or null if the body does not use it. */
function objectionTo(parameter: string, body: Json): Json | null {
  const given = body[parameter];
  switch (parameter) {
    case 'temperature':
    case 'top_p':
      return given === undefined || given === 1
        ? null
        : unsupportedValue(parameter, String(given), ' Only the default (1) value is supported.');
    case 'json_schema': {
      const format = body['response_format'];
      if (!isObject(format) || format['type'] !== 'json_schema') return null;
      const message =
        "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.";
      return errorBody(message, 'invalid_request_error', null, 'response_format');
    }
    case 'developer': {
      const messages: unknown[] = Array.isArray(body['messages']) ? body['messages'] : [];
      const at = messages.findIndex((message) => isObject(message) && message['role'] === 'developer');
      return at === -1 ? null : unsupportedValue(`messages[${at}].role`, "'developer'");
    }
    default:
      return given === undefined ? null : unsupportedParameter(parameter);
  }
}

const REPLACEMENTS: Readonly<Record<string, string>> = {
  max_tokens: 'max_completion_tokens',
  max_completion_tokens: 'max_tokens',
};

function unsupportedParameter(parameter: string): Json {
  const instead = REPLACEMENTS[parameter];
  const hint = instead === undefined ? '' : ` Use '${instead}' instead.`;
  const message = `Unsupported parameter: '${parameter}' is not supported with this model.${hint}`;
  return errorBody(message, 'invalid_request_error', 'unsupported_parameter', parameter);
}

function unsupportedValue(param: string, value: string, hint = ''): Json {
  const message = `Unsupported value: '${param}' does not support ${value} with this model.${hint}`;
  return errorBody(message, 'invalid_request_error', 'unsupported_value', param);
}
