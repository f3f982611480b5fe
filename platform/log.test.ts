import { expect, test } from 'vitest';
import { loadConfig } from './config.ts';
import { createLogger } from './log.ts';

function logged(environment: Record<string, string> = {}, isTTY = false) {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line), isTTY };
  return { lines, log: createLogger(loadConfig(environment), destination) };
}

test('[LG1] outside a terminal each line is one JSON object with time, level, fields and message', () => {
  const { lines, log } = logged();
  log.child({ docId: 'D1' }).warn({ waitMs: 5 }, 'A lock was refused');
  log.debug('Not logged');
  expect(lines).toHaveLength(1);
  const { time, ...line } = JSON.parse(lines[0]!);
  expect(line).toEqual({
    level: 'warn',
    docId: 'D1',
    waitMs: 5,
    msg: 'A lock was refused',
  });
  expect(time).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
});

test('[LG2] tokens, secrets, passwords and the configured header are removed wherever they are', () => {
  const { lines, log } = logged({ JWT_HEADER: 'AuthorizationJwt' });
  const cause = Object.assign(new Error('inner'), { password: 'hidden-1' });
  log.info(
    {
      token: 'hidden-2',
      request: { headers: { Authorization: 'hidden-3', authorizationjwt: 'hidden-4', cookie: 'hidden-5' } },
      openCmd: [{ password: 'hidden-6', title: 'kept-1' }],
      jwtSecret: 'hidden-7',
      err: new Error('outer', { cause }),
    },
    'An auth message',
  );
  expect(lines[0]).not.toContain('hidden');
  expect(lines[0]).toContain('kept-1');
});

test('[LG3] addresses are logged without credentials and query', () => {
  const { lines, log } = logged();
  const url = 'https://me:hidden-1@store.test/f.docx?sig=hidden-2#hidden-3';
  log.info({ url, err: new Error(`Could not read ${url}: refused`) }, 'A download failed');
  expect(lines[0]).not.toContain('hidden');
  expect(lines[0]).toContain('https://store.test/f.docx');
  expect(lines[0]).toContain(' refused');
});

test('[LG4] an error is logged with its class, message, stack and cause', () => {
  const { lines, log } = logged();
  log.error({ err: new TypeError('outer', { cause: new RangeError('inner') }) }, 'It failed');
  const { err } = JSON.parse(lines[0]!);
  expect(err).toMatchObject({
    type: 'TypeError',
    message: 'outer',
    cause: { type: 'RangeError', message: 'inner' },
  });
  expect(err.stack).toContain('log.test.ts');
});

test('[LG5] cyclic and deep values are cut, not followed', () => {
  const { lines, log } = logged();
  const loop: Record<string, unknown> = { name: 'loop' };
  loop.self = loop;
  log.info({ loop }, 'A loop');
  expect(lines[0]).toContain('[deep]');
});

test('[LG6] in a terminal the log is for people', () => {
  const { lines, log } = logged({}, true);
  log.info({ port: 8000, host: 'localhost' }, 'Listening');
  expect(lines.join('')).toMatch(/^.*INFO.*Listening.*8000.*localhost.*\n$/);
  expect(() => JSON.parse(lines[0]!)).toThrow();
  const forced = logged({ LOG_FORMAT: 'json' }, true);
  forced.log.info('Listening');
  expect(JSON.parse(forced.lines[0]!)).toMatchObject({ msg: 'Listening' });
});
