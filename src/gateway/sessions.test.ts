import { expect, it } from 'vitest';
import { createSessions } from './sessions.ts';

function create(port = 4040) {
  const clock = { now: 0 };
  const sessions = createSessions(
    () => port,
    () => clock.now,
  );
  const codeOf = (link: string) => link.replace('/sign-in?code=', '');
  return { clock, sessions, codeOf };
}

const pairOf = (cookie: string | null) => cookie?.split(';')[0];

it('opens one session for a code, within ten minutes', () => {
  const { clock, sessions, codeOf } = create();
  const code = codeOf(sessions.createLink());
  expect(sessions.redeem('another')).toBeNull();
  const cookie = sessions.redeem(code);
  expect(cookie).toMatch(
    /^tiercel_session_4040=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
  );
  expect(sessions.find(`other=1; ${pairOf(cookie)}`)).toMatchObject({ key: null });
  expect(sessions.redeem(code)).toBeNull();
  const late = codeOf(sessions.createLink());
  clock.now += 10 * 60_000;
  expect(sessions.redeem(late)).toBeNull();
});

it('ends a session after twelve hours, or when it is closed', () => {
  const { clock, sessions } = create();
  const [first, second] = [
    pairOf(sessions.open({ key: 'tcl_a' }, true)),
    pairOf(sessions.open({ key: null }, false)),
  ];
  expect(sessions.close(second)).toMatch(/^tiercel_session_4040=; Path=\/; Max-Age=0;/);
  expect(sessions.find(second)).toBeNull();
  expect(sessions.find(first)).toMatchObject({ key: 'tcl_a' });
  clock.now += 12 * 3_600_000;
  expect(sessions.find(first)).toBeNull();
});

it('takes no cookie of another port, none that is empty and none that it did not give', () => {
  const { sessions } = create();
  const id = pairOf(sessions.open({ key: null }, false))?.split('=')[1];
  expect(sessions.find(`tiercel_session_4141=${id}`)).toBeNull();
  expect(sessions.find('tiercel_session_4040=')).toBeNull();
  expect(sessions.find('tiercel_session_4040=made-up')).toBeNull();
  expect(sessions.find(undefined)).toBeNull();
});
