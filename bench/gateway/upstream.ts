/** The model that all of them ask, in a process of its own. Usage: tsx upstream.ts <port> */
import { startFaultyUpstream } from '../../apps/faulty-upstream/server.ts';

const upstream = await startFaultyUpstream({ port: Number(process.argv[2]), record: false });
process.on('message', (question) => {
  if (question === 'open sockets') process.send?.({ openSockets: upstream.openSockets() });
});
process.channel?.unref();
