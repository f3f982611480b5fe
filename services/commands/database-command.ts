import path from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { startEmbeddedPostgres } from '../../db/embedded-postgres.ts';
import { migrate, stepBack } from '../../db/migrate.ts';
import { partitionTables } from '../../db/partitions.ts';
import { type Config, loadConfig, processEnvironment } from '../../platform/config.ts';
import { createLogger, type Logger } from '../../platform/log.ts';
import { reportingFailure } from './reporting-failure.ts';

const mostPartitions = 256;

/** `quire db …`: what operators do to the database by hand. */
export function databaseCommand(): Command {
  const command = new Command('db').description('look after the database');
  command
    .command('migrate')
    .description('bring the tables up to this version, as the server does when it starts')
    .action(() => inDatabase(async () => undefined));
  command
    .command('step-back')
    .description(
      'let servers of an earlier version start on tables that this version, or a later one, has brought up to date',
    )
    .requiredOption('--to <migration>', 'the last file in db/migrations of the earlier version')
    .action(({ to }: { to: string }) =>
      withDatabase(async (url, log) => {
        const aside = await stepBack({ url, to });
        log.info({ migrations: aside }, 'Migrations were set aside; their tables stay');
      }),
    );
  command
    .command('partition')
    .description(
      'part the tables of documents by a hash of their keys; all servers and workers must be stopped',
    )
    .option('--partitions <number>', 'of each table', partitionCount, 16)
    .action(({ partitions }: { partitions: number }) =>
      inDatabase(async (url, log) => {
        const parted = await partitionTables({ url, partitions, log });
        if (parted.length === 0) log.info('The tables are parted already');
      }),
    );
  return command;
}

function partitionCount(given: string): number {
  const number = Number(given);
  if (Number.isInteger(number) && number >= 2 && number <= mostPartitions) return number;
  throw new InvalidArgumentError(`must be a whole number from 2 to ${mostPartitions}`);
}

/** Runs a task on the migrated database of the settings, past a pooler. */
const inDatabase = (task: (url: string, log: Logger) => Promise<void>): Promise<void> =>
  withDatabase(async (url, log) => {
    await migrate({ url, log });
    await task(url, log);
  });

/** Runs a task on the database of the settings as it is, past a pooler. */
function withDatabase(task: (url: string, log: Logger) => Promise<void>): Promise<void> {
  return reportingFailure(async () => {
    const config = loadConfig(processEnvironment());
    const log = createLogger(config);
    const { url, stop } = await databaseOf(config, log);
    try {
      await task(url, log);
    } finally {
      await stop();
    }
  });
}

async function databaseOf(config: Config, log: Logger): Promise<{ url: string; stop(): Promise<void> }> {
  const url = config.databaseDirectUrl ?? config.databaseUrl;
  if (url !== undefined) return { url, stop: async () => undefined };
  const server = await startEmbeddedPostgres({ directory: path.join(config.dataDir, 'postgres'), log });
  // An embedded database that was running already belongs to a server.
  return { url: server.url, stop: async () => (server.adopted ? undefined : server.stop()) };
}
