/**
 * What a proxy costs at the least: `node:http` in front, an undici pool behind, bodies piped both ways and nothing read.
 * Usage: node bare-proxy.mjs <upstream origin> <port>
 */
import { createServer } from 'node:http';
import { Pool } from 'undici';

const [upstream = '', port = ''] = process.argv.slice(2);
const pool = new Pool(upstream, { connections: 256 });

const server = createServer((request, response) => {
  const { host: _, connection: __, ...headers } = request.headers;
  pool
    .request({ method: request.method ?? 'POST', path: request.url ?? '/', headers, body: request })
    .then(({ statusCode, headers: answered, body }) => {
      const { connection: _, 'keep-alive': __, 'transfer-encoding': ___, ...passed } = answered;
      response.writeHead(statusCode, passed);
      // Not `pipeline`, which makes and aborts an AbortController for each request.
      body.once('error', () => response.destroy());
      response.once('close', () => body.destroy());
      body.pipe(response);
    })
    .catch(() => {
      if (!response.headersSent) response.writeHead(502);
      response.end();
    });
});
server.listen(Number(port), '127.0.0.1');
