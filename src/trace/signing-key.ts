import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalJson } from '../lib/canonical-json.ts';
import { createId } from '../lib/ids.ts';

/** A chain's state at one link; `seq` is also the number of its events. */
export type SignedHead = { writer: string; seq: number; hash: string; publicKey: string; signature: string };

export type Signer = {
  /** Ed25519, raw, base64url. */
  readonly publicKey: string;
  sign(head: { writer: string; seq: number; hash: string }): SignedHead;
};

/**
 * The key of checkpoints, in `<dataDir>/ledger-key.pem` (mode 0600), made when it is not there. It stands outside the database, so
 * that who can write there cannot sign.
 */
export async function openSigner(dataDir: string): Promise<Signer> {
  const key = createPrivateKey(await readOrCreate(dataDir));
  const publicKey = createPublicKey(key).export({ format: 'jwk' }).x ?? '';
  return {
    publicKey,
    sign({ writer, seq, hash }) {
      const signature = sign(null, toStatement({ writer, seq, hash }), key).toString('base64url');
      return { writer, seq, hash, publicKey, signature };
    },
  };
}

/** Whether a head was signed by the key that it names; whether that key is to be trusted is another question. */
export function isSigned({ publicKey, signature, ...head }: SignedHead): boolean {
  try {
    return verify(null, toStatement(head), toKey(publicKey), Buffer.from(signature, 'base64url'));
  } catch {
    return false;
  }
}

function toStatement({ writer, seq, hash }: { writer: string; seq: number; hash: string }): Buffer {
  return Buffer.from(canonicalJson({ writer, seq, hash }));
}

function toKey(publicKey: string): KeyObject {
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' });
}

async function readOrCreate(dataDir: string): Promise<string> {
  const path = join(dataDir, 'ledger-key.pem');
  const found = await readIfThere(path);
  if (found !== null) return found;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const { privateKey } = generateKeyPairSync('ed25519');
  // Linked into place whole: of processes that start together one wins, and nobody reads half a key.
  const own = `${path}.${createId()}`;
  await writeFile(own, privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600, flush: true });
  try {
    await link(own, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(own, { force: true });
  }
  return readFile(path, 'utf8');
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
