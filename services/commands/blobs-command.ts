import { Command, InvalidArgumentError, Option } from 'commander';
import { type CopyProgress, copyBlobs } from '../../platform/adapters/copy-blobs.ts';
import { openBlobStore } from '../../platform/adapters/open-blob-store.ts';
import { type Environment, loadConfig, processEnvironment } from '../../platform/config.ts';
import { reportingFailure } from './reporting-failure.ts';

type StoreName = 'files' | 's3';

const defaultConcurrency = 4;
const mostConcurrency = 256;
const reportEvery = 1_000;

/** `quire blobs …`: moves the files of documents from one store to another. */
export function blobsCommand(): Command {
  const command = new Command('blobs').description('look after the files of documents');
  command
    .command('copy')
    .description(
      'copy all files to the other store; may be interrupted and run again, also while the server runs',
    )
    .addOption(new Option('--to <store>', 'where to').choices(['files', 's3']).makeOptionMandatory())
    .option('--verify', 'read what is in the target and compare it with its hash')
    .option('--concurrency <number>', 'files at a time', concurrencyOf, defaultConcurrency)
    .action(({ to, verify = false, concurrency }: { to: StoreName; verify?: boolean; concurrency: number }) =>
      reportingFailure(() => copy(processEnvironment(), to, { verify, concurrency })),
    );
  return command;
}

function concurrencyOf(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= mostConcurrency) return count;
  throw new InvalidArgumentError(`1 to ${mostConcurrency}.`);
}

async function copy(
  environment: Environment,
  to: StoreName,
  options: { verify: boolean; concurrency: number },
): Promise<void> {
  const open = (store: StoreName) => openBlobStore(loadConfig({ ...environment, BLOB_STORE: store }));
  const [source, target] = await Promise.all([open(to === 's3' ? 'files' : 's3'), open(to)]);
  const progress = await copyBlobs(source, target, {
    ...options,
    onProgress: (now) => {
      if ((now.copied + now.present) % reportEvery === 0) process.stdout.write(`${sentenceOf(now)} …\n`);
    },
  });
  process.stdout.write(`${sentenceOf(progress)}. Use them with BLOB_STORE=${to}.\n`);
  for (const hash of progress.damaged) process.stderr.write(`Damaged, and left out: ${hash}\n`);
  if (progress.damaged.length > 0) process.exitCode = 1;
}

function sentenceOf({ copied, copiedBytes, present }: CopyProgress): string {
  const megabytes = (copiedBytes / 1_048_576).toFixed(1);
  return `${copied} files copied (${megabytes} MB), ${present} were there already`;
}
