import { expect, it, vi } from 'vitest';
import { describeDatabases } from '../../test/support/database.ts';
import { createKeyStore } from './key-store.ts';

describeDatabases('key store', (open) => {
  it('verifies a key it made, and no other', async () => {
    const keys = createKeyStore(open());
    const { id, key } = await keys.create({ name: 'mine', principal: 'ada', admin: true });
    expect(key).toMatch(/^tcl_[\w-]{43}$/);
    expect(await keys.verify(key)).toEqual({ id, name: 'mine', principal: 'ada', admin: true });
    for (const other of ['', 'tcl_', key.slice(0, -1), `${key}x`, key.toUpperCase()]) {
      expect(await keys.verify(other)).toBeNull();
    }
  });

  it('keeps nothing of a key but its hash and beginning', async () => {
    const database = open();
    const { key } = await createKeyStore(database).create({ name: 'hashed', principal: 'ada', admin: false });
    const { rows } = await database.pool.query('select api_keys::text as row from api_keys');
    const all = rows.map((row) => row.row).join('\n');
    expect(all).toContain(key.slice(0, 10));
    expect(all).not.toContain(key.slice(4, 20));
    expect(all).not.toContain(key.slice(-16));
  });

  it('refuses a second active key of one name, and allows it once the first is revoked', async () => {
    const keys = createKeyStore(open());
    const holder = { name: 'again', principal: 'ada', admin: false };
    await keys.create(holder);
    await expect(keys.create(holder)).rejects.toMatchObject({
      code: 'invalid_request',
      details: { param: 'name' },
    });
    await keys.revoke('again');
    const { id } = await keys.create(holder);
    await keys.revoke(id);
    await expect(keys.revoke('again')).rejects.toMatchObject({ code: 'key_not_found' });
    await expect(keys.revoke(id)).rejects.toMatchObject({ code: 'key_not_found' });
  });

  it('revokes at once here and within two seconds elsewhere', async () => {
    const here = createKeyStore(open());
    const elsewhere = createKeyStore(open());
    const { key } = await here.create({ name: 'short', principal: 'ada', admin: false });
    expect(await here.verify(key)).not.toBeNull();
    expect(await elsewhere.verify(key)).not.toBeNull();
    await here.revoke('short');
    expect(await here.verify(key)).toBeNull();
    await expect.poll(() => elsewhere.verify(key), { timeout: 2000, interval: 50 }).toBeNull();
  });

  it('asks the database once for many calls, known and unknown', async () => {
    const database = open();
    const query = vi.spyOn(database.pool, 'query');
    const keys = createKeyStore(database);
    await Promise.all(Array.from({ length: 500 }, (_, n) => keys.verify(`tcl_${n}`)));
    for (let n = 0; n < 500; n++) await keys.verify(`tcl_${n}`);
    expect(query).toHaveBeenCalledTimes(1);
    query.mockRestore();
  });

  it('lists keys, revoked ones too, and counts the active', async () => {
    const keys = createKeyStore(open());
    const before = await keys.count();
    const { id, key } = await keys.create({ name: 'listed', principal: 'bob', admin: false });
    expect(await keys.count()).toBe(before + 1);
    expect((await keys.list())[0]).toEqual({
      id,
      name: 'listed',
      principal: 'bob',
      admin: false,
      prefix: key.slice(0, 10),
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      revokedAt: null,
    });
    await keys.revoke(id);
    expect(await keys.count()).toBe(before);
    expect((await keys.list())[0]?.revokedAt).toMatch(/^\d{4}-.*Z$/);
  });
});
