import { parseArgs } from 'node:util';
import { guide } from './guide.ts';
import { type RecordedRequest, startFaultyUpstream } from './server.ts';

const HELP = `Usage: npm run upstream:faulty -- [--port 4141] [--host 127.0.0.1]

Starts an OpenAI-compatible server that fails in the way its model names say, and prints them.
Requests are logged on stderr as they end.
`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '4141' },
      host: { type: 'string', default: '127.0.0.1' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const upstream = await startFaultyUpstream({
    port: Number(values.port),
    host: values.host,
    record: false,
    onEnd: (request) => process.stderr.write(logLine(request)),
  });
  process.stdout.write(`${guide(upstream.url)}\nListening on ${upstream.url}; Ctrl-C stops.\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void upstream.close());
}

function logLine({ at, endedAt, method, path, model, status, aborted }: RecordedRequest): string {
  const ending = aborted ? ', client closed' : '';
  return `${method} ${path} ${model ?? '-'} → ${status ?? 'no answer'} in ${(endedAt ?? at) - at} ms${ending}\n`;
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`);
  process.exitCode = 1;
}
