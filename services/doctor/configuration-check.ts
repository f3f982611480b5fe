import {
  type Config,
  configWarnings,
  type Environment,
  missingPublicUrl,
  settingNames,
} from '../../platform/config.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

/** Variables of other document servers, and the settings of this one for the same. */
const foreign: Readonly<Record<string, string>> = {
  DB_HOST: 'DATABASE_URL',
  DB_NAME: 'DATABASE_URL',
  DB_USER: 'DATABASE_URL',
  DB_PWD: 'DATABASE_URL',
  REDIS_SERVER_HOST: 'REDIS_URL',
  REDIS_SERVER_PORT: 'REDIS_URL',
  USE_UNAUTHORIZED_STORAGE: 'NODE_EXTRA_CA_CERTS',
  AWS_S3_BUCKET: 'S3_BUCKET',
  AWS_BUCKET: 'S3_BUCKET',
};

/** Names that begin with these are meant for this server. */
const ownPrefixes = ['JWT_', 'S3_', 'WOPI_', 'X2T_', 'CONVERTER_', 'CALLBACK_', 'FORCE_SAVE_', 'SAVE_LOCK_'];
/** Shorter names are similar to too many others. */
const shortestName = 7;

/** Checks the variables of the environment for mistakes with which the server starts all the same. */
export function checkConfiguration(config: Config, environment: Environment): Finding[] {
  const findings = [...unknownVariables(environment), ...idleSettings(config)];
  const withoutAddress = missingPublicUrl(config);
  if (withoutAddress !== null) {
    findings.push(
      fail(
        withoutAddress,
        'Set PUBLIC_URL to the address that browsers see, such as https://docs.example.com.',
      ),
    );
  }
  for (const warning of configWarnings(config)) {
    if (warning === withoutAddress) continue;
    findings.push(warn(warning, 'See the table of settings: `quire config`.'));
  }
  return findings.length > 0 ? findings : [ok('All variables are known and fit together')];
}

function unknownVariables(environment: Environment): Finding[] {
  const known = new Set(settingNames());
  const given = Object.keys(environment).filter((name) => environment[name] && !known.has(name));
  return given.flatMap((name) => {
    const instead = foreign[name];
    if (instead !== undefined) {
      return [warn(`${name} means nothing to this server`, `Set ${instead} in its place.`)];
    }
    const near = nearest(name, known);
    const isMeant = ownPrefixes.some((prefix) => name.startsWith(prefix));
    if (near !== undefined) return [warn(`${name} is not a setting`, `Is ${near} meant?`)];
    return isMeant ? [warn(`${name} is not a setting`, 'Settings are listed by `quire config`.')] : [];
  });
}

/** Settings that have no effect. */
function idleSettings(config: Config): Finding[] {
  const findings: Finding[] = [];
  if (config.blobStore !== 's3' && config.s3Bucket !== undefined) {
    findings.push(
      warn('S3_BUCKET is set, and files are kept in DATA_DIR', 'Set BLOB_STORE=s3 to use the bucket.'),
    );
  }
  if (!config.wopiEnabled && config.wopiHosts !== undefined) {
    findings.push(warn('WOPI_HOSTS is set, and WOPI is off', 'Set WOPI_ENABLED=true to use it.'));
  }
  if (config.databaseUrl === undefined && config.redisUrl !== undefined) {
    const remedy = 'Set DATABASE_URL: several nodes need one database.';
    findings.push(warn('REDIS_URL is set, and the database is the embedded one', remedy));
  }
  if (config.databaseUrl === undefined && config.converterProcesses === 0) {
    const remedy = 'Set CONVERTER_PROCESSES, or DATABASE_URL for workers that run elsewhere.';
    findings.push(warn('CONVERTER_PROCESSES is 0, and nothing else can reach the embedded database', remedy));
  }
  return findings;
}

function nearest(name: string, known: ReadonlySet<string>): string | undefined {
  if (name.length < shortestName) return undefined;
  return [...known].find((one) => one.length >= shortestName && isNear(name, one));
}

/** Whether one letter is missing, added or wrong, two are swapped, or dashes are used for underscores. */
function isNear(given: string, known: string): boolean {
  if (given.replaceAll('-', '_').toUpperCase() === known) return true;
  if (Math.abs(given.length - known.length) > 1) return false;
  let start = 0;
  while (start < given.length && given[start] === known[start]) start += 1;
  let end = 0;
  const most = Math.min(given.length, known.length) - start;
  while (end < most && given.at(-1 - end) === known.at(-1 - end)) end += 1;
  const [mine, theirs] = [given.slice(start, given.length - end), known.slice(start, known.length - end)];
  const isSwapped = mine.length === 2 && mine === `${theirs[1]}${theirs[0]}`;
  return isSwapped || (mine.length <= 1 && theirs.length <= 1);
}
