import cluster from 'node:cluster';
import { Command } from 'commander';
import {
  ConfigError,
  configTable,
  configWarnings,
  isSupervised,
  listeningNotice,
  loadConfig,
  loadLogSettings,
  parentVariable,
  processEnvironment,
  unknownVariables,
} from '../platform/config.ts';
import { giveHeapRoom } from '../platform/heap-room.ts';
import { createLogger, isForPeople, type Logger } from '../platform/log.ts';
import { packageVersion } from '../platform/package-root.ts';
import { QuireError, SetupError } from '../platform/quire-error.ts';
import { loadSecrets } from '../platform/secrets/secrets.ts';
import { adminOpenApiDocument } from './admin/openapi.ts';
import { adminCommand } from './commands/admin-command.ts';
import { blobsCommand } from './commands/blobs-command.ts';
import { convertCommand } from './commands/convert-command.ts';
import { databaseCommand } from './commands/database-command.ts';
import { formatsCommand } from './commands/formats-command.ts';
import { installCommand } from './commands/install-command.ts';
import { loadCommand, loadGeneratorCommand } from './commands/load-command.ts';
import { wopiCommand } from './commands/wopi-command.ts';
import { withSecretRecords } from './composition/database.ts';
import { doctorCommand } from './doctor/command.ts';
import { openApiDocument } from './integration/openapi/document.ts';
import { metricsTable } from './metrics-reference.ts';
import { reportReady } from './processes/child-process.ts';
import {
  endWhenUncaught,
  endWithParent,
  type Running,
  stopWhenAsked,
  stopWithSupervisor,
} from './processes/process-end.ts';
import { workerVariable } from './workers/worker-processes.ts';

const program = new Command('quire')
  .description('Real-time collaborative document server for docx, xlsx and pptx.')
  .version(packageVersion)
  .addHelpText(
    'after',
    '\nWithout a command it is serve. Settings are environment variables: `quire config` lists them.',
  )
  .showHelpAfterError('`--help` says what there is.');

program
  .command('serve')
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
  .command('metrics')
  .description('list all metrics of /metrics with their meaning')
  .action(() => {
    process.stdout.write(`${metricsTable()}\n`);
    // The observer of the garbage collector would keep the process alive.
    process.exit(0);
  });

program
  .command('secret')
  .description('print the secret that integrators sign their tokens with (JWT_SECRET)')
  .action(async () => {
    const config = loadConfig(processEnvironment());
    const { inbox } = await withSecretRecords(config, (records) => loadSecrets(config, records));
    process.stdout.write(`${inbox}\n`);
  });

program
  .command('openapi')
  .description('print a description of the HTTP interface (OpenAPI)')
  .option('--admin', 'of the administration instead')
  .action(({ admin = false }: { admin?: boolean }) => {
    const document = admin ? adminOpenApiDocument() : openApiDocument();
    process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
  });

program.addCommand(blobsCommand());
program.addCommand(convertCommand());
program.addCommand(databaseCommand());
program.addCommand(doctorCommand());
program.addCommand(adminCommand());
program.addCommand(formatsCommand());
program.addCommand(installCommand());
program.addCommand(loadCommand());
program.addCommand(loadGeneratorCommand(), { hidden: true });
program.addCommand(wopiCommand());

// No default of commander's: it takes a command that there is not for an argument of the default one.
await program.parseAsync(process.argv.length > 2 ? process.argv : [...process.argv, 'serve']);

/** Runs a command until a signal stops it. What keeps it from starting is in its log, and the exit code is 1 then. */
async function run(command: (log: Logger) => Promise<Running>): Promise<void> {
  const environment = processEnvironment();
  // Nobody reads the log any more: no reason to end.
  process.stdout.on('error', () => undefined);
  let log = createLogger(loadLogSettings(environment));
  const worker = environment[workerVariable];
  if (worker) log = log.child({ worker: Number(worker) });
  let running: Running | null = null;
  endWhenUncaught(log, async () => running?.halt());
  try {
    // Processes that a server starts have its environment: it has named them.
    if (!environment[parentVariable]) nameUnknownVariables(log);
    loadConfig(environment);
    const starting = command(log);
    const stop = stopWhenAsked(
      async () => (await starting).stop(),
      log,
      command === work ? 'A converter' : 'Quire',
    );
    if (command === serve && isSupervised(environment) && !cluster.isWorker) stopWithSupervisor(stop);
    running = await starting;
  } catch (error) {
    reportFailure(error, log);
    process.exitCode = 1;
  }
}

/** Names variables that are probably misspelt settings; never what is in them. */
function nameUnknownVariables(log: Logger): void {
  for (const { name, meant } of unknownVariables(processEnvironment())) {
    if (meant === null) log.warn({ variable: name }, 'A variable is not a setting and has no effect');
    else log.warn({ variable: name, meant }, `${name} is not a setting: did you mean ${meant}?`);
  }
}

/** Says why the program does not start. What was thrown on purpose needs no stack: its sentence says what to do. */
function reportFailure(error: unknown, log: Logger): void {
  const failed = 'Quire could not start';
  if (error instanceof ConfigError) {
    for (const reason of error.problems) log.fatal({ code: error.code, reason }, failed);
  } else if (error instanceof SetupError) {
    const { code, setting, message: reason, remedy } = error;
    log.fatal({ code, setting, reason, remedy }, failed);
  } else if (error instanceof QuireError) log.fatal({ code: error.code, reason: error.message }, failed);
  else log.fatal({ err: error }, failed);
}

async function serve(log: Logger): Promise<Running> {
  const config = loadConfig(processEnvironment());
  giveHeapRoom();
  // Loaded late, so that other commands start quickly.
  const { startServer } = await import('./server.ts');
  if (cluster.isWorker) return startServer(config, processEnvironment(), log);
  for (const warning of configWarnings(config)) log.warn(warning);
  const notice = listeningNotice(config);
  if (notice !== null) log.info(notice);
  const start = config.workers > 1 ? (await import('./primary.ts')).startPrimary : startServer;
  const server = await start(config, processEnvironment(), log);
  const { version, embedded } = server.database;
  log.info(
    {
      pid: process.pid,
      address: server.address,
      administration: server.adminAddress ?? 'not here',
      dataDirectory: config.dataDir,
      database: embedded ? `PostgreSQL ${version}, embedded` : `PostgreSQL ${version}`,
      jobs: config.redisUrl ? 'Redis' : 'PostgreSQL',
      workers: config.workers,
      converters: config.converterProcesses,
      x2t: server.x2tVersion ?? 'not installed',
      tokens: config.jwtEnabled ? 'required' : 'off',
    },
    'Quire is ready',
  );
  reportReady();
  let isStopping = false;
  if (isForPeople(config)) {
    // Converters log when they start. The notice comes after that, so that it is the last text in the terminal.
    const { startNotice } = await import('./start-notice.ts');
    void server.convertersStarted.then(() => {
      if (!isStopping) process.stdout.write(startNotice(config, server));
    });
  }
  return {
    stop: () => {
      isStopping = true;
      return server.stop();
    },
    halt: () => server.halt(),
  };
}

async function work(log: Logger): Promise<Running> {
  let abandon = async (): Promise<void> => undefined;
  endWithParent(() => abandon());
  const { startWorkerProcess } = await import('../converter/main.ts');
  const worker = await startWorkerProcess(loadConfig(processEnvironment()), log);
  abandon = () => worker.abandon();
  log.info({ pid: process.pid }, 'A converter is ready');
  reportReady();
  return { stop: () => worker.stop(), halt: () => worker.abandon() };
}
