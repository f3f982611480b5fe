// `npm run dev`: builds program and pages anew whenever a source of theirs changes, and starts the server again after each
// build. Further arguments are the server's.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { programContext } from './setup/program.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const pageConfigs = ['', 'api/', 'load-report/'].map((part) => `editor/${part}vite.config.ts`);
/** Builds that end together make one restart. */
const quietMs = 300;

let server = null;
let building = 0;
let restart = null;
let isEnding = false;

// What is built here is not compressed: the next `npm start` has to build again.
for (const stamp of ['.program', '.pages']) rmSync(path.join(root, 'dist', stamp), { force: true });

function startServer() {
  server = spawn(process.execPath, ['--v8-pool-size=1', 'bin/quire.js', 'serve', ...process.argv.slice(2)], {
    cwd: root,
    stdio: 'inherit',
  });
}

async function stopServer() {
  if (server === null || server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill('SIGTERM');
  await ended;
}

function began() {
  building += 1;
  clearTimeout(restart);
}

function ended(failed) {
  building -= 1;
  if (failed || building > 0 || isEnding) return;
  clearTimeout(restart);
  restart = setTimeout(async () => {
    await stopServer();
    if (!isEnding && building === 0) startServer();
  }, quietMs);
}

const restartAfterBuild = {
  name: 'restart-after-build',
  setup({ onStart, onEnd }) {
    onStart(began);
    onEnd(({ errors }) => ended(errors.length > 0));
  },
};

for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, async () => {
    isEnding = true;
    await stopServer();
    process.exit(0);
  });

const program = await programContext(root, 'info', [restartAfterBuild]);
await program.watch();
for (const configFile of pageConfigs) {
  const watcher = await build({
    configFile: path.join(root, configFile),
    logLevel: 'warn',
    build: { watch: {} },
  });
  watcher.on('event', ({ code, error, result }) => {
    if (code === 'BUNDLE_START') began();
    if (code === 'ERROR') console.error(String(error?.stack ?? error));
    if (code === 'BUNDLE_END') result.close();
    if (code === 'BUNDLE_END' || code === 'ERROR') ended(code === 'ERROR');
  });
}
