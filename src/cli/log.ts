import { pino } from 'pino';
import { TiercelError } from '../errors.ts';
import type { Log } from '../lib/log.ts';
import { type Paint, paintFor, type Style } from './output.ts';

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

const SECRET_NAMES = [
  'authorization',
  '["api-key"]',
  '["x-api-key"]',
  'apiKey',
  'cookie',
  'password',
  'token',
];
const REDACTED = SECRET_NAMES.flatMap((name) => {
  const below = name.startsWith('[') ? name : `.${name}`;
  return [name, `*${below}`, `*.*${below}`];
});

// A key of ours, wherever in a line it may have come to stand.
const OWN_KEY = /tcl_[\w-]{20,}/g;

/**
 * The log of a server, on stderr: JSON lines for machines, short lines on a terminal. `TIERCEL_LOG_LEVEL` sets the level,
 * `info` unless given. Secrets are left out by the name of their field, and keys of Tiercel by their looks.
 *
 * @throws TiercelError `config_invalid` when there is no such level
 */
export function createLog(env: NodeJS.ProcessEnv, stream: NodeJS.WriteStream): Log {
  const level = env['TIERCEL_LOG_LEVEL']?.trim().toLowerCase() || 'info';
  if (!LEVELS.includes(level)) {
    throw new TiercelError(
      'config_invalid',
      `TIERCEL_LOG_LEVEL: "${level}" is not allowed. Use one of: ${LEVELS.join(', ')}.`,
    );
  }
  const paint = paintFor(stream, env);
  const toText = stream.isTTY ? (line: string) => toHumanLine(line, paint) : (line: string) => line;
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: REDACTED, censor: '[secret]' },
    },
    { write: (line: string) => stream.write(toText(line.replaceAll(OWN_KEY, 'tcl_[secret]'))) },
  );
}

/** `12:03:04 warn  breaker opened  deployment=ollama until=…` of a line of pino's. */
export function toHumanLine(line: string, paint: Paint): string {
  const { level, time, msg, ...fields } = JSON.parse(line) as {
    level: number;
    time: string;
    msg?: string;
    [field: string]: unknown;
  };
  const [name, style] = levelOf(level);
  const rest = Object.entries(fields).map(
    ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const clock = new Date(time).toTimeString().slice(0, 8);
  const detail = rest.length > 0 ? `  ${paint('dim', rest.join(' '))}` : '';
  return `${paint('dim', clock)} ${paint(style, name.padEnd(5))} ${msg ?? ''}${detail}\n`;
}

function levelOf(level: number): [name: string, style: Style] {
  if (level >= 50) return [level >= 60 ? 'fatal' : 'error', 'red'];
  if (level >= 40) return ['warn', 'yellow'];
  return level >= 30 ? ['info', 'green'] : [level >= 20 ? 'debug' : 'trace', 'blue'];
}
