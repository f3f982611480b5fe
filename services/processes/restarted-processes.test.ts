import { spawn } from 'node:child_process';
import { once } from 'node:events';
import pino, { type Logger } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { eventually } from '../../test/support/eventually.ts';
import { RestartedProcesses } from './restarted-processes.ts';

let said: { msg: string; delayMs?: number; err?: { code?: string } }[];
let log: Logger;
let processes: RestartedProcesses;

beforeEach(() => {
  said = [];
  log = pino({}, { write: (line: string) => said.push(JSON.parse(line)) });
  processes = new RestartedProcesses(300, log);
});

afterEach(() => processes.stop());

const program = (code: string) =>
  spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
const lasting = () => program('setInterval(() => {}, 1000)');
const missing = () => spawn('/nowhere/program', { stdio: 'ignore' });

/** Starts what the functions return, one after the other, and again the last of them. */
function startOneAfterAnother(starts: (() => ReturnType<typeof spawn>)[], by = processes) {
  const ended = vi.fn();
  const start = vi.fn(() => {
    const next = starts.length > 1 ? starts.shift()! : starts[0]!;
    return { child: next(), ended };
  });
  by.start({ name: 'A program', start });
  return { start, ended };
}

test('[WK12] a process that ends is started again, each time after a longer pause', async () => {
  const { start, ended } = startOneAfterAnother([
    () => program('process.exit(3)'),
    () => program('process.exit(4)'),
    lasting,
  ]);
  await eventually(() => expect(start.mock.calls.length).toBe(3));
  expect(ended).toHaveBeenCalledTimes(2);
  const ends = said.filter(({ msg }) => msg === 'A program ended; another one is started');
  expect(ends).toMatchObject([
    { code: 3, delayMs: 200 },
    { code: 4, delayMs: 400 },
  ]);
});

test('[WK12] one that cannot be started is tried again, however that shows, and the others go on', async () => {
  const throws = () => {
    throw Object.assign(new Error('spawn ENOMEM'), { code: 'ENOMEM' });
  };
  const { start, ended } = startOneAfterAnother([missing, throws, lasting]);
  const other = lasting();
  processes.start({ name: 'Another', start: () => ({ child: other, ended: () => {} }) });
  await eventually(() => expect(start.mock.calls.length).toBe(3));
  expect(ended).toHaveBeenCalledTimes(1);
  expect(said.flatMap(({ err }) => err?.code ?? [])).toEqual(['ENOENT', 'ENOMEM']);
  expect(processes.children).toHaveLength(2);
  expect(other.exitCode).toBeNull();
});

test('[WK12] one that cannot be started at first is an error of who starts it', () => {
  const start = () => {
    throw new Error('spawn ENOMEM');
  };
  expect(() => processes.start({ name: 'A program', start })).toThrow('ENOMEM');
});

test('[WK12] what is not wanted any more is not started again', async () => {
  const start = vi.fn(() => ({ child: program(''), ended: () => {} }));
  const isWanted = vi.fn(() => false);
  processes.start({ name: 'A program', start, isWanted });
  await eventually(() => expect(isWanted.mock.calls.length).toBe(1));
  expect(processes.children).toEqual([]);
  expect(start).toHaveBeenCalledTimes(1);
});

test('[WK13] a stop ends all, by force what does not end in time, and none is started any more', async () => {
  const stubborn = program("process.on('SIGTERM', () => {}); console.log(1); setInterval(() => {}, 1000)");
  await once(stubborn.stdout, 'data');
  const first = startOneAfterAnother([() => stubborn]);
  const second = startOneAfterAnother([lasting]);
  const third = startOneAfterAnother([missing]);
  await eventually(() => expect(third.ended.mock.calls.length).toBe(1));
  await processes.stop();
  expect(stubborn.signalCode).toBe('SIGKILL');
  expect(processes.children).toEqual([]);
  const others = new RestartedProcesses(300, log);
  const fourth = startOneAfterAnother([missing, lasting], others);
  await eventually(() => expect(fourth.start.mock.calls.length).toBe(2));
  await others.stop();
  for (const { start } of [first, second, third]) expect(start).toHaveBeenCalledTimes(1);
});
