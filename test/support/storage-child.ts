import { createId } from '../../src/lib/ids.ts';
import { Secret } from '../../src/lib/secret.ts';
import { openDatabase } from '../../src/storage/open-database.ts';
import { createReceiptStore } from '../../src/storage/receipt-store.ts';

/**
 * A process to kill. Usage: `node --import tsx storage-child.ts <dataDir> [databaseUrl]`. Prints `open`, or the code of the
 * error that stopped it; then appends receipts without end and prints the id of the last one that is surely stored.
 */
const [, , dataDir = '', databaseUrl] = process.argv;
try {
  const database = await openDatabase({
    dataDir,
    databaseUrl: databaseUrl === undefined ? null : new Secret(databaseUrl),
  });
  console.log('open');
  const store = createReceiptStore(database);
  for (;;) {
    let id = '';
    for (let n = 0; n < 100; n++) {
      id = createId();
      store.append({
        id,
        traceId: id,
        startedAt: new Date(),
        role: null,
        principal: 'child',
        tier: null,
        deployment: null,
        outcome: 'ok',
        body: JSON.stringify({ text: 'x'.repeat(500) }),
      });
    }
    await store.flush();
    console.log(id);
  }
} catch (error) {
  console.log((error as { code?: string }).code ?? String(error));
  process.exit(1);
}
