import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
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

test('[NC20] what a library hangs on its errors is named by its class; plain data is logged', () => {
  class Connection {
    secretKey = 'hidden-1';
    buffers = [Buffer.from('hidden-2')];
  }
  const { lines, log } = logged();
  const given = {
    client: new Connection(),
    at: { line: 3, rows: [Object.assign(Object.create(null), { a: 1 })] },
  };
  const cause = Object.assign(new Error('inner'), given);
  log.warn({ err: Object.assign(new Error('outer', { cause }), given), seen: new Map() }, 'It failed');
  const { err, seen } = JSON.parse(lines[0]!);
  const shown = { client: '[Connection]', at: { line: 3, rows: [{ a: 1 }] } };
  expect([err, seen]).toMatchObject([{ ...shown, cause: shown }, '[Map]']);
  expect(lines[0]).not.toContain('hidden');
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

describe('lines that say the same', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const parsed = (lines: readonly string[]) => lines.map((line) => JSON.parse(line));

  test('[OB15] after some lines one a minute is written, which says how many it stands for', () => {
    const { lines, log } = logged();
    const cannot = () =>
      log.warn({ err: new Error('connect ECONNREFUSED 127.0.0.1:6379') }, 'The job queue reports an error');
    for (let count = 0; count < 727; count += 1) cannot();
    expect(lines).toHaveLength(5);
    vi.advanceTimersByTime(60_000);
    expect(lines).toHaveLength(6);
    expect(parsed(lines)[5]).toMatchObject({ msg: 'The job queue reports an error', repeated: 722 });
    expect(parsed(lines)[5].err.message).toContain('ECONNREFUSED');
    for (let count = 0; count < 10; count += 1) cannot();
    vi.advanceTimersByTime(60_000);
    expect(parsed(lines).slice(6)).toEqual([expect.objectContaining({ repeated: 10 })]);
    // Nothing was left out for a minute: it is a new event.
    vi.advanceTimersByTime(60_000);
    cannot();
    expect(parsed(lines)[7]).not.toHaveProperty('repeated');
  });

  test('[OB15] lines about other documents, with other errors or other values are other lines', () => {
    const { lines, log } = logged();
    for (let count = 0; count < 20; count += 1) {
      log.child({ documentKey: `d${count}` }).warn({ reason: 'HTTP 500' }, 'A callback was not accepted');
      log.error({ err: new Error(`no ${count}`) }, 'It failed');
      log.warn({ attempt: count }, 'It is tried again');
      log.warn({ operator: { name: 'Olga' } }, 'What has fields within fields is not compared');
      log.info('What is no warning is always written');
    }
    expect(lines).toHaveLength(100);
  });

  test('[DR30] lines that differ only in the connection say the same', () => {
    const { lines, log } = logged();
    for (let count = 0; count < 300; count += 1)
      log.error({ err: new Error('no database'), connectionId: `c${count}` }, 'A connection failed');
    expect(lines).toHaveLength(5);
    vi.advanceTimersByTime(60_000);
    expect(parsed(lines)[5]).toMatchObject({ repeated: 295, connectionId: 'c299' });
  });

  test('[OB15] however many different lines there are, a bounded number is remembered', () => {
    const { lines, log } = logged();
    for (let round = 0; round < 6; round += 1) {
      for (let count = 0; count < 1_500; count += 1) log.warn({ count }, 'A warning');
    }
    // All are written: each was forgotten before it came again.
    expect(lines).toHaveLength(9_000);
  });
});
