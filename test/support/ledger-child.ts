import { createInterface } from 'node:readline';
import { Secret } from '../../src/lib/secret.ts';
import { openDatabase } from '../../src/storage/open-database.ts';
import { openLedger } from '../../src/trace/ledger.ts';
import { emitMany } from './ledger.ts';

/**
 * A process to kill. Usage: `node --import tsx ledger-child.ts <dataDir> [databaseUrl]`. Prints the chain it writes and where that
 * stood; after a line on its input it emits events without end, one of fifty to be surely stored, whose id it prints once it is.
 */
const [, , dataDir = '', databaseUrl] = process.argv;
const url = databaseUrl === undefined ? null : new Secret(databaseUrl);
const database = await openDatabase({ dataDir, databaseUrl: url });
const ledger = await openLedger({ database, dataDir });
console.log(`${ledger.writer} ${ledger.head.seq}`);
const lines = createInterface({ input: process.stdin });
await new Promise<void>((resolve) => lines.once('line', () => resolve()));
for (;;) {
  emitMany(ledger, 49, 'child');
  const payload = { deployment: 'strict' };
  console.log(
    await ledger.trace.record('BREAKER_CLOSED', { actor: 'child', message: 'surely stored', payload }),
  );
}
