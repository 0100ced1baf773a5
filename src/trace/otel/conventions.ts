/**
 * The names of OpenTelemetry's conventions for generative AI, as of the version that the schema URL names. They are in development
 * still, so a newer version is taken here and nowhere else.
 */
export const SCHEMA_URL = 'https://opentelemetry.io/schemas/gen-ai/1.42.0';

export const GEN_AI = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  requestModel: 'gen_ai.request.model',
  requestStream: 'gen_ai.request.stream',
  responseModel: 'gen_ai.response.model',
  /** In seconds. */
  timeToFirstChunk: 'gen_ai.response.time_to_first_chunk',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  reasoningTokens: 'gen_ai.usage.reasoning.output_tokens',
} as const;

/** Of the general conventions, which are stable. */
export const ERROR_TYPE = 'error.type';
export const HTTP_STATUS = 'http.response.status_code';
export const SERVICE_NAME = 'service.name';
