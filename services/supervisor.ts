import { spawn } from 'node:child_process';
import {
  loadLogSettings,
  processEnvironment,
  restartsVariable,
  wantsSupervisor,
} from '../platform/config.ts';
import { programFile } from '../platform/package-root.ts';
import { superviseServer } from './processes/supervised-server.ts';

// What `quire serve` starts: a process that loads next to nothing and keeps a server running as a child, which listens.

if (wantsSupervisor(processEnvironment())) process.exitCode = await supervise();
else await import('./cli.ts');

function supervise(): Promise<number> {
  // Nobody reads the log any more: no reason to leave the server alone.
  process.stdout.on('error', () => undefined);
  return superviseServer({ start, log: lateLog(), signals: process });
}

function start(restarts: number) {
  // A process group of its own: Ctrl-C in a terminal reaches only this process, which passes it on.
  return spawn(process.execPath, [...process.execArgv, programFile, ...process.argv.slice(2)], {
    env: { ...processEnvironment(), [restartsVariable]: String(restarts) },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    detached: true,
  });
}

/** The log, which is loaded beside the start of the server. Nothing is said in it before a server has died. */
function lateLog() {
  const loading = import('../platform/log.ts').then(({ createLogger }) =>
    createLogger(loadLogSettings(processEnvironment())),
  );
  const late = (level: 'fatal' | 'error' | 'warn') => (fields: object, sentence?: string) =>
    void loading.then((log) => log[level](fields, sentence));
  return { fatal: late('fatal'), error: late('error'), warn: late('warn') };
}
