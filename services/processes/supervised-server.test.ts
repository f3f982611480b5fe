import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { testTimeoutMs } from '../../test/support/patience.ts';
import { superviseServer } from './supervised-server.ts';

interface Said {
  level: 'fatal' | 'error' | 'warn';
  sentence?: string;
  [field: string]: unknown;
}

let said: Said[];
let children: ChildProcess[];
/** Resolve when the stand-in says that it is ready. */
let readiness: Promise<unknown>[];
let signals: EventEmitter;

beforeEach(() => {
  said = [];
  children = [];
  readiness = [];
  signals = new EventEmitter();
});

afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
});

const ready = "process.send('ready');";
const lasting = 'setInterval(() => {}, 1000);';
/** As a server ends that is asked to. */
const orderly = "process.on('SIGTERM', () => process.exit(0));";

/**
 * Supervises stand-ins: the scripts one after the other, and again the last of them. `onSaid` is called after each line of the
 * log.
 */
function supervise(scripts: readonly string[], deaths = 6, onSaid = () => {}) {
  const restarts: number[] = [];
  const log = (level: Said['level']) => (fields: object, sentence?: string) => {
    said.push({ level, ...fields, ...(sentence !== undefined && { sentence }) });
    queueMicrotask(onSaid);
  };
  const exitCode = superviseServer({
    start: (count) => {
      const script = scripts[Math.min(restarts.length, scripts.length - 1)]!;
      restarts.push(count);
      const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
      children.push(child);
      readiness.push(once(child, 'message'));
      return child;
    },
    log: { fatal: log('fatal'), error: log('error'), warn: log('warn') },
    signals,
    limit: { deaths, withinMs: 3_600_000 },
  });
  return { exitCode, restarts };
}

const restarted = 'The server ended; another one is started';

test(
  '[LN3] a server that dies is started again after growing pauses, is told how often, and each time is in the log',
  async () => {
    const dies = `${ready} process.exitCode = 70; process.disconnect();`;
    const killed = `${ready} process.kill(process.pid, 'SIGKILL');`;
    const { exitCode, restarts } = supervise([dies, killed, `${orderly} ${ready} ${lasting}`]);
    await expect.poll(() => children.length, { timeout: testTimeoutMs }).toBe(3);
    await readiness[2];
    expect(restarts).toEqual([0, 1, 2]);
    expect(said).toMatchObject([
      { level: 'error', sentence: restarted, code: 70, signal: null, delayMs: 200 },
      { level: 'error', sentence: restarted, code: null, signal: 'SIGKILL', delayMs: 400 },
    ]);
    signals.emit('SIGTERM', 'SIGTERM');
    expect(await exitCode).toBe(0);
  },
  testTimeoutMs,
);

test(
  '[LN4] a server that was never ready is not started again, and its exit code is passed on',
  async () => {
    const { exitCode } = supervise(['process.exit(1)']);
    expect(await exitCode).toBe(1);
    const killed = supervise(["process.kill(process.pid, 'SIGKILL')"]);
    expect(await killed.exitCode).toBe(128 + 9);
    expect(children).toHaveLength(2);
    expect(said).toEqual([]);
  },
  testTimeoutMs,
);

test(
  '[LN4] one that was ready once is started again also when it could not start meanwhile',
  async () => {
    const { exitCode } = supervise([
      `${ready} process.kill(process.pid, 'SIGKILL')`,
      'process.exit(1)',
      `${orderly} ${ready} ${lasting}`,
    ]);
    await expect.poll(() => children.length, { timeout: testTimeoutMs }).toBe(3);
    await readiness[2];
    signals.emit('SIGTERM', 'SIGTERM');
    expect(await exitCode).toBe(0);
  },
  testTimeoutMs,
);

test(
  '[LN5] a server that ends in order, asked by this process or by others, is not started again',
  async () => {
    const asked = supervise([`${orderly} ${ready} ${lasting}`]);
    await readiness[0];
    signals.emit('SIGTERM', 'SIGTERM');
    // A second signal is for the server, too, and nothing ends because of it.
    signals.emit('SIGTERM', 'SIGTERM');
    expect(await asked.exitCode).toBe(0);
    const byItself = supervise([`${ready} process.disconnect();`]);
    expect(await byItself.exitCode).toBe(0);
    expect(children).toHaveLength(2);
    expect(said).toEqual([]);
  },
  testTimeoutMs,
);

test(
  '[LN5] a stop while no server runs ends the wait for the next one',
  async () => {
    const { exitCode } = supervise([`${ready} process.kill(process.pid, 'SIGKILL')`], 6, () =>
      signals.emit('SIGTERM', 'SIGTERM'),
    );
    await exitCode;
    expect(said).toMatchObject([{ sentence: restarted }]);
    expect(children).toHaveLength(1);
  },
  testTimeoutMs,
);

test(
  '[LN6] a server that dies too often is given up, with its exit code',
  async () => {
    const { exitCode } = supervise([`${ready} process.exitCode = 70; process.disconnect();`], 3);
    expect(await exitCode).toBe(70);
    expect(children).toHaveLength(3);
    expect(said.at(-1)).toMatchObject({
      level: 'fatal',
      sentence: 'The server ended too often: it is given up',
      code: 70,
      deaths: 3,
    });
  },
  testTimeoutMs,
);
