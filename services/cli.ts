import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { startWorkerProcess } from '../converter/main.ts';
import { ConfigError, configTable, configWarnings, loadConfig, processEnvironment } from './config.ts';
import { installCommand } from './install-command.ts';
import { openApiDocument } from './integration/openapi/document.ts';
import { createLogger, type Logger } from './log.ts';
import { loadSecrets } from './secrets.ts';
import { startServer } from './server.ts';
import { wopiCommand } from './wopi-command.ts';

/** Longest an orderly stop may take before the process ends all the same, milliseconds. */
const stopDeadlineMs = 30_000;

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const program = new Command('quire')
  .description('Real-time collaborative document server for docx, xlsx and pptx.')
  .version(version)
  .addHelpText('after', '\nSettings are environment variables: `quire config` lists them.')
  .showHelpAfterError();

program
  .command('serve', { isDefault: true })
  .description('run the server, with a PostgreSQL of its own unless DATABASE_URL names one')
  .action(() => run(serve));

program
  .command('worker')
  .description('run a converter process for a server that uses the same DATABASE_URL and DATA_DIR')
  .action(() => run(work));

program
  .command('config')
  .description('list all settings with their defaults')
  .action(() => {
    process.stdout.write(`${configTable()}\n`);
  });

program
  .command('secret')
  .description('print the secret that integrators sign their tokens with (JWT_SECRET)')
  .action(async () => {
    const { inbox } = await loadSecrets(loadConfig(processEnvironment()));
    process.stdout.write(`${inbox}\n`);
  });

program
  .command('openapi')
  .description('print a description of the HTTP interface (OpenAPI)')
  .action(() => {
    process.stdout.write(`${JSON.stringify(openApiDocument(), null, 2)}\n`);
  });

program.addCommand(installCommand());
program.addCommand(wopiCommand());

await program.parseAsync();

type Stop = () => Promise<void>;

/** Runs a command until a signal stops it; a bad configuration ends it with a readable list. */
async function run(command: (log: Logger) => Promise<Stop>): Promise<void> {
  let log: Logger | undefined;
  try {
    log = createLogger(loadConfig(processEnvironment()));
    const stop = await command(log);
    stopOnSignal(stop, log, command === work ? 'A converter' : 'Quire');
  } catch (error) {
    if (error instanceof ConfigError || !log) process.stderr.write(`${(error as Error).message}\n`);
    else log.fatal({ err: error }, 'Quire could not start');
    process.exitCode = 1;
  }
}

async function serve(log: Logger): Promise<Stop> {
  const config = loadConfig(processEnvironment());
  for (const warning of configWarnings(config)) log.warn(warning);
  const server = await startServer(config, processEnvironment(), log);
  const { version, embedded } = server.database;
  log.info(
    {
      address: server.address,
      dataDirectory: config.dataDir,
      database: embedded ? `PostgreSQL ${version}, embedded` : `PostgreSQL ${version}`,
      jobs: config.redisUrl ? 'Redis' : 'PostgreSQL',
      converters: config.converterProcesses,
      x2t: server.x2tVersion ?? 'not installed',
      tokens: config.jwtEnabled ? 'required' : 'off',
    },
    'Quire is ready',
  );
  return () => server.stop();
}

async function work(log: Logger): Promise<Stop> {
  endWithParent();
  const worker = await startWorkerProcess(loadConfig(processEnvironment()), log);
  log.info({ pid: process.pid }, 'A converter is ready');
  return () => worker.stop();
}

function stopOnSignal(stop: Stop, log: Logger, who: string): void {
  let stopping = false;
  const onSignal = (signal: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, `${who} stops`);
    const timer = setTimeout(() => {
      log.error(`${who} did not stop in time`);
      process.exit(1);
    }, stopDeadlineMs);
    timer.unref();
    stop().then(
      () => {
        log.info(`${who} has stopped`);
        process.exit(0);
      },
      (error: unknown) => {
        log.error({ err: error }, `${who} did not stop cleanly`);
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
}

/** A worker that a server started ends with it, also when the server is killed: its jobs are given to the next one. */
function endWithParent(): void {
  if (!process.send) return;
  if (!process.connected) process.exit(0);
  process.once('disconnect', () => process.exit(0));
}
