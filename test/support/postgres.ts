import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

export type Postgres = {
  /** Of the superuser, on the database `postgres`. */
  url: string;
  stop(): Promise<void>;
};

/** The folder of the newest PostgreSQL of this machine (Debian's place, then PATH), or null. */
export function findPostgres(): string | null {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ];
  return (
    folders.find((folder) => existsSync(join(folder, 'pg_ctl')) && existsSync(join(folder, 'initdb'))) ?? null
  );
}

/** Starts an empty server on a free port, its data in a temporary folder. Nothing is flushed to disk. */
export async function startPostgres(): Promise<Postgres> {
  const binaries = findPostgres();
  if (binaries === null)
    throw new Error('No PostgreSQL found: `apt-get install postgresql` or put pg_ctl on PATH.');
  const folder = mkdtempSync(join(tmpdir(), 'tiercel-postgres-'));
  const user = serverUser();
  if (user !== null) chownSync(folder, user.uid, user.gid);
  chmodSync(folder, 0o700);
  const cluster = join(folder, 'data');
  const port = await findFreePort();
  const password = randomBytes(12).toString('hex');
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, password);

  const run = (program: string, ...parameters: string[]) => {
    const { status, stderr, stdout } = spawnSync(join(binaries, program), parameters, {
      cwd: folder,
      encoding: 'utf8',
      // The server inherits the pipes of pg_ctl and would keep this call waiting for their end.
      stdio: program === 'pg_ctl' ? 'ignore' : 'pipe',
      ...user,
    });
    if (status !== 0) throw new Error(`${program} failed (${status}): ${stderr}${stdout}`);
  };
  run(
    'initdb',
    '-D',
    cluster,
    '-U',
    'tiercel',
    '-A',
    'scram-sha-256',
    `--pwfile=${passwordFile}`,
    '-E',
    'UTF8',
    '--no-sync',
  );
  const settings = [
    `-p ${port}`,
    '-h 127.0.0.1',
    '-k ""',
    ...['fsync=off', 'full_page_writes=off', 'shared_buffers=64MB', 'max_connections=60'].map(
      (set) => `-c ${set}`,
    ),
  ].join(' ');
  run('pg_ctl', '-D', cluster, '-l', join(folder, 'log'), '-w', '-t', '30', '-o', settings, 'start');
  return {
    url: `postgres://tiercel:${password}@127.0.0.1:${port}/postgres`,
    async stop() {
      run('pg_ctl', '-D', cluster, '-m', 'immediate', '-w', 'stop');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL refuses to run as root; a package's own user, or else nobody, stands in. */
function serverUser(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const toNumber = (flag: string, name: string) => {
    const { status, stdout } = spawnSync('id', [flag, name], { encoding: 'utf8' });
    return status === 0 ? Number(stdout) : null;
  };
  for (const name of ['postgres', 'nobody']) {
    const uid = toNumber('-u', name);
    const gid = toNumber('-g', name);
    if (uid !== null && gid !== null) return { uid, gid };
  }
  throw new Error('Running as root, and there is no user `postgres` or `nobody` to run PostgreSQL as.');
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
