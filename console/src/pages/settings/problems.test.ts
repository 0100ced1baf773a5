import { describe, expect, it } from 'vitest';
import { ApiError } from '../../api/client.ts';
import { problemsOf } from './problems.ts';

const refused = (message: string, param?: string) => new ApiError(400, 'invalid_request', message, param);

describe('problemsOf', () => {
  it('gives each problem to the path that its line names', () => {
    const error = refused(
      '2 settings are wrong:\n  limits.totalMs: 0 is not allowed. Use 1.\n  console (ada, 2026-11-30T14:02:31.204Z) mode: "x" is not allowed.',
    );
    expect([...problemsOf(error, ['mode', 'limits.totalMs', 'routing'])]).toEqual([
      ['limits.totalMs', '0 is not allowed. Use 1.'],
      ['mode', '"x" is not allowed.'],
    ]);
  });

  it('keeps a field apart from one whose path it ends', () => {
    const error = refused('deployments.a.model: Use text in one line.');
    expect([...problemsOf(error, ['deployments.a', 'deployments.a.model'])]).toEqual([
      ['deployments.a.model', 'Use text in one line.'],
    ]);
  });

  it('goes by the parameter where no line names a path, and else belongs to none', () => {
    expect([...problemsOf(refused('No.', 'mode'), ['mode'])]).toEqual([['mode', 'No.']]);
    expect([...problemsOf(refused('No.', 'other'), ['mode'])]).toEqual([['', 'No.']]);
    expect([...problemsOf(null, ['mode'])]).toEqual([]);
  });
});
