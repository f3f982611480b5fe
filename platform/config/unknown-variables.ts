import type { Setting } from './setting.ts';
import { settings } from './settings.ts';

/** A variable that no setting reads, though it was probably meant for this server. */
export interface UnknownVariable {
  name: string;
  /** The setting that is probably meant; null when none is near. */
  meant: string | null;
  /** Whether another document server reads a variable of this name. */
  isForeign: boolean;
}

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
/** What Kubernetes and Docker set for a service, whatever its name is. */
const ofService = /_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT|PORT_\d+_(TCP|UDP)(_(PROTO|PORT|ADDR))?|ENV_\w+)$/;

/** Every variable that is read, those that name files of secrets included. */
function settingNames(): string[] {
  return Object.values<Setting<unknown>>(settings).flatMap(({ env, secret }) =>
    secret ? [env, `${env}_FILE`] : [env],
  );
}

/** The variables that are set, no settings, and near the name of one or with a prefix of this server. Never their values. */
export function unknownVariables(
  environment: Readonly<Record<string, string | undefined>>,
): UnknownVariable[] {
  const known = new Set(settingNames());
  const given = Object.keys(environment).filter((name) => environment[name] && !known.has(name));
  return given.flatMap((name): UnknownVariable[] => {
    const instead = foreign[name];
    if (instead !== undefined) return [{ name, meant: instead, isForeign: true }];
    const meant = nearest(name, known) ?? null;
    const isOwn = ownPrefixes.some((prefix) => name.startsWith(prefix)) && !ofService.test(name);
    return meant !== null || isOwn ? [{ name, meant, isForeign: false }] : [];
  });
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
