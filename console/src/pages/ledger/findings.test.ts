import { describe, expect, it } from 'vitest';
import type { Verification } from '../../api/schema.ts';
import { type Finding, signatureOf, tellAnchor, tellFinding } from './findings.ts';

const plain = (text: string) => text.replaceAll('\u202f', ' ');

describe('tellFinding', () => {
  it.each<[Finding, string, boolean]>([
    [
      { kind: 'altered', seq: 4711, reason: 'its hash is that of another content' },
      'Altered at no. 4 711: its hash is that of another content',
      true,
    ],
    [{ kind: 'gap', after: 10, next: 12 }, 'Gap: 1 event is missing between no. 10 and no. 12', true],
    [
      { kind: 'truncated', last: 90, expected: 100, witness: 'anchor' },
      'Truncated: it ends at no. 90, but once stood at no. 100',
      true,
    ],
    [{ kind: 'torn', after: 7 }, 'Torn: the record after no. 7 is cut short', false],
  ])('tells %o', (finding, title, isFault) => {
    const told = tellFinding(finding);
    expect(plain(told.title)).toBe(title);
    expect(told.isFault).toBe(isFault);
  });
});

describe('tellAnchor', () => {
  it('says that nothing guards the end where there is no anchor', () => {
    expect(tellAnchor(null)).toMatchObject([{ isFault: false }]);
  });
  it('tells lines of another hand from a line that a crash cut short', () => {
    expect(tellAnchor({ heads: 9, badLines: [3, 4], torn: true }).map(({ isFault }) => isFault)).toEqual([
      true,
      false,
    ]);
  });
});

describe('signatureOf', () => {
  const report = (findings: Finding[] = []): Verification => ({
    intact: findings.length === 0,
    events: 100,
    anchor: null,
    chains: [
      {
        writer: 'w',
        first: 1,
        last: 100,
        events: 100,
        archivedThrough: 0,
        checkpoints: 2,
        foreignCheckpoints: 0,
        findings,
      },
    ],
  });
  const checkpoint = (seq: number, publicKey = 'own') => ({ writer: 'w', seq, payload: { publicKey } });

  it('does not call a signature good before it was verified', () => {
    expect(signatureOf(checkpoint(50), 'own', null).word).toBe('signed, not verified yet');
    expect(signatureOf(checkpoint(101), 'own', report()).word).toBe('signed, not verified yet');
  });
  it('says what verifying found', () => {
    const bad: Finding = { kind: 'signature', seq: 50, reason: 'no' };
    expect(signatureOf(checkpoint(50), 'own', report()).word).toBe('holds');
    expect(signatureOf(checkpoint(50), 'own', report([bad])).word).toBe('does not hold');
    expect(signatureOf(checkpoint(50, 'other'), 'own', report()).sign).toBe('degraded');
  });
});
