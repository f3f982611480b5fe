import { existsSync } from 'node:fs';
import type { Config, Environment } from '../../platform/config.ts';
import { checkBacklog } from './backlog-check.ts';
import { checkBlobStore, checkDisks } from './blob-check.ts';
import { checkCallback } from './callback-check.ts';
import { checkConfiguration } from './configuration-check.ts';
import { checkConverters, checkEditors, checkFonts } from './converter-check.ts';
import { checkDatabase, databaseUrlOf } from './database-check.ts';
import { type Check, type Finding, skip } from './finding.ts';
import { checkDownload } from './integrator-check.ts';
import { checkDataDirectory, checkMachine, writeProblem } from './machine-check.ts';
import { checkOwnAddress, ownAddress } from './own-address.ts';
import { checkQueue } from './queue-check.ts';
import { checkRedis } from './redis-check.ts';
import { checkTokens } from './token-check.ts';
import { checkToken } from './token-text-check.ts';
import { checkWopi } from './wopi-check.ts';

/** What to check beside the settings. */
export interface DoctorOptions {
  /** Address of the server for browsers. */
  url?: string;
  /** Addresses of an integrator: of a document, and for callbacks. */
  downloadUrl?: string;
  callbackUrl?: string;
  /** A file to deliver to the latter, by its path, and the key that it is for. */
  callbackFile?: string;
  callbackKey?: string;
  /** A token that an integrator signed. */
  token?: string;
  /** How long a worker may take to answer, milliseconds. */
  jobTimeoutMs: number;
}

const shortMs = 30_000;
const longMs = 90_000;

/**
 * The checks of a set-up. Parts that others depend on come first. The server need not run: a check that needs it reports that.
 */
export function checksOf(config: Config, environment: Environment, options: DoctorOptions): Check[] {
  const base = ownAddress(options.url, config);
  const { downloadUrl, callbackUrl, callbackFile, callbackKey, token, jobTimeoutMs } = options;
  const check = (name: string, run: () => Promise<Finding[]>, timeoutMs = shortMs): Check => ({
    ...{ name, run, timeoutMs },
  });
  return [
    check('configuration', async () => checkConfiguration(config, environment)),
    check('machine', () => checkMachine(config)),
    check('data-directory', () => checkDataDirectory(config)),
    check('disk', () => checkDisks(config)),
    check('database', () => checkDatabase(config)),
    check('redis', () => checkRedis(config.redisUrl)),
    check('files', () => filesFindings(config), longMs),
    check('converters', () => checkConverters(config), longMs),
    check('fonts', () => checkFonts(config)),
    check('editors', () => checkEditors(config), longMs),
    check(
      'job-queue',
      async () =>
        checkQueue(
          { databaseUrl: await databaseUrlOf(config), redisUrl: config.redisUrl, prefix: config.redisPrefix },
          jobTimeoutMs,
        ),
      jobTimeoutMs + shortMs,
    ),
    check('backlog', async () => checkBacklog(await databaseUrlOf(config))),
    check('own-address', () => checkOwnAddress(base), longMs),
    check('tokens', () => checkTokens(config, base)),
    ...(token === undefined ? [] : [check('integrator-token', () => checkToken(token, config))]),
    check('wopi', () => checkWopi(config, base)),
    ...(downloadUrl === undefined
      ? []
      : [check('download', () => checkDownload(downloadUrl, config), longMs)]),
    ...(callbackUrl === undefined
      ? []
      : [
          check(
            'callback',
            () =>
              checkCallback(
                { url: callbackUrl, base, downloadUrl, file: callbackFile, key: callbackKey },
                config,
              ),
            longMs,
          ),
        ]),
  ];
}

/** Writes nothing to a directory of another user, who could not change what is left there. */
async function filesFindings(config: Config): Promise<Finding[]> {
  if (config.blobStore === 's3') return checkBlobStore(config);
  const directory = config.blobDir ?? config.dataDir;
  if (!existsSync(directory)) return [skip(`${directory} does not exist yet; nothing is written there`)];
  const problem = await writeProblem(directory);
  return problem ? [problem] : checkBlobStore(config);
}
