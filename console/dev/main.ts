/** `npm run console:dev`: the console with made-up traffic, rebuilt on every change. */
import { createServer } from 'vite';
import { startFixtures } from './fixture-server.ts';

const fixture = await startFixtures({ rate: 0.7 });
const server = await createServer({
  root: 'console',
  server: { port: 4180, proxy: { '/api': fixture.url, '/v1': fixture.url } },
});
await server.listen();
server.printUrls();
