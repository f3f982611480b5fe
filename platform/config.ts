import { readFileSync } from 'node:fs';
import type { Parsed, Setting } from './config/setting.ts';
import { type Config, settings } from './config/settings.ts';
import { isTrial, missingPublicUrl } from './config/trial.ts';
import { strongBytes, weakSecrets } from './config/weak-secrets.ts';
import { QuireError } from './quire-error.ts';

export { protocolVersion } from '../client/protocol/version.ts';
export { AddressList } from './config/address-list.ts';
export { IpFilter } from './config/ip-filter.ts';
export type { Config } from './config/settings.ts';
export { hostOf, isTrial, listeningHosts, listeningNotice, missingPublicUrl } from './config/trial.ts';
export { unknownVariables } from './config/unknown-variables.ts';

const secretSettings = [
  'jwtSecret',
  'jwtSecretInbox',
  'jwtSecretOutbox',
  'jwtSecretPrevious',
  'jwtSessionSecret',
  'secureLinkSecret',
  'adminToken',
  'adminReadToken',
] as const;

const logSettings = ['logLevel', 'logFormat', 'jwtHeader', 'jwtHeaderInbox', 'jwtHeaderOutbox'] as const;

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Set for processes that a server has started beside the database that it runs. */
export const parentVariable = 'QUIRE_PARENT';

/** Set for a server that a supervisor has started: how often it was started again. */
export const restartsVariable = 'QUIRE_RESTARTS';

/** The environment does not make a valid configuration. `problems` are sentences, each with a setting's name. */
export class ConfigError extends QuireError {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    const message = `The configuration has ${problems.length} problem(s):\n  ${problems.join('\n  ')}`;
    super('bad-configuration', message, { level: 'error' });
    this.problems = problems;
  }
}

/** The environment of this process: the only place that reads it. */
export function processEnvironment(): Environment {
  return process.env;
}

/**
 * Reads every setting, and the files that `…_FILE` variables name. Empty variables count as absent.
 * @throws ConfigError that lists all problems
 */
export function loadConfig(environment: Environment): Config {
  const problems: string[] = [];
  const values = Object.entries<Setting<unknown>>(settings).map(([name, setting]) => {
    const parsed = read(setting, environment);
    if ('problem' in parsed) problems.push(`${setting.env} ${parsed.problem}`);
    return [name, 'value' in parsed ? parsed.value : setting.defaultValue];
  });
  const config = Object.freeze(Object.fromEntries(values)) as Config;
  if (problems.length === 0) {
    problems.push(...contradictions(config));
    // Its parent, which may be a trial, has started with them.
    if (!environment[parentVariable]) problems.push(...weakSecrets(config));
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** The settings of the log alone, their defaults where they are wrong: for what is logged about the others. */
export function loadLogSettings(environment: Environment): Pick<Config, (typeof logSettings)[number]> {
  const values = logSettings.map((name) => [name, valueOrDefault(settings[name], environment)]);
  return Object.fromEntries(values);
}

/** Whether a supervisor is to start the server, which is yet to be started: `SUPERVISED`. */
export function wantsSupervisor(environment: Environment): boolean {
  return !isSupervised(environment) && valueOrDefault(settings.supervised, environment);
}

/** Whether a supervisor has started this server, or the one that this process belongs to. */
export const isSupervised = (environment: Environment): boolean =>
  environment[restartsVariable] !== undefined;

/** What is wrong with a setting is told by whoever loads all of them. */
function valueOrDefault<Value>(setting: Setting<Value>, environment: Environment): Value {
  const parsed = read(setting, environment);
  return 'value' in parsed ? parsed.value : setting.defaultValue;
}

function read<Value>(setting: Setting<Value>, environment: Environment): Parsed<Value> {
  const direct = environment[setting.env]?.trim() ?? '';
  const file = (setting.secret && environment[`${setting.env}_FILE`]?.trim()) || '';
  if (direct && file) return { problem: `and ${setting.env}_FILE are both set: keep one` };
  if (direct) return setting.parse(direct);
  if (file) return readSecretFile(setting, file);
  return { value: setting.defaultValue };
}

function readSecretFile<Value>(setting: Setting<Value>, file: string): Parsed<Value> {
  try {
    const content = readFileSync(file, 'utf8').trim();
    return content ? setting.parse(content) : { problem: `has an empty file: ${file}` };
  } catch (err) {
    return { problem: `cannot be read from ${file} (${(err as NodeJS.ErrnoException).code})` };
  }
}

/** Sentences about choices that are allowed but weaken the server; for the log at start-up. */
export function configWarnings(config: Config): string[] {
  const warnings: string[] = [];
  if (!config.jwtEnabled) {
    warnings.push('JWT_ENABLED is false: whoever reaches this server can read and change its documents.');
  }
  if (config.jwtEnabled && config.jwtEnabledInbox === false) {
    warnings.push('JWT_ENABLED_INBOX is false: whoever reaches this server can send it commands.');
  }
  if (config.exampleEnabled && !config.jwtEnabled) {
    warnings.push('EXAMPLE_ENABLED has no effect while JWT_ENABLED is false: the example needs tokens.');
  }
  const withoutAddress = missingPublicUrl(config);
  if (withoutAddress !== null) warnings.push(withoutAddress);
  if (config.exampleEnabled && !isTrial(config)) {
    warnings.push('EXAMPLE_ENABLED is true: whoever reaches this server may use the example at /example/.');
  }
  if (config.wopiEnabled && config.wopiHosts === undefined) {
    warnings.push(
      'WOPI_HOSTS is not set: no WOPI host may use this server. Name the addresses of yours in it.',
    );
  }
  for (const name of secretSettings) {
    const value = config[name];
    if (value !== undefined && Buffer.byteLength(value) < strongBytes) {
      warnings.push(`${settings[name].env} is shorter than 32 bytes and may be guessed.`);
    }
  }
  return warnings;
}

/** Whether the example application is served: by default only where nothing was set up for production. */
export function servesExample(
  config: Pick<Config, 'exampleEnabled' | 'jwtEnabled' | 'jwtEnabledOutbox' | 'databaseUrl' | 'publicUrl'>,
): boolean {
  const sendsTokens = config.jwtEnabled && config.jwtEnabledOutbox !== false;
  return sendsTokens && (config.exampleEnabled ?? isTrial(config));
}

/** The settings as a Markdown table, for `docs/configuration.md`. */
export function configTable(): string {
  const rows = Object.values<Setting<unknown>>(settings).map((setting) => {
    const name = setting.secret ? `\`${setting.env}\`, \`${setting.env}_FILE\`` : `\`${setting.env}\``;
    return `| ${name} | ${setting.type} | ${setting.defaultText} | ${setting.description} |`;
  });
  return ['| Variable | Type | Default | Meaning |', '|---|---|---|---|', ...rows].join('\n');
}

/** Settings that contradict each other: a sentence each, beginning with the name of the setting to change. */
function contradictions(config: Config): string[] {
  const problems: string[] = [];
  if (config.blobStore === 's3' && config.s3Bucket === undefined) {
    problems.push('S3_BUCKET is missing: BLOB_STORE is s3');
  }
  if ((config.s3AccessKeyId === undefined) !== (config.s3SecretAccessKey === undefined)) {
    problems.push('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY go together: set both or neither');
  }
  if (config.s3KmsKeyId !== undefined && config.s3Encryption !== 'aws:kms') {
    problems.push(`S3_KMS_KEY_ID needs S3_ENCRYPTION=aws:kms, which is ${config.s3Encryption}`);
  }
  if (config.databaseDirectUrl !== undefined && config.databaseUrl === undefined) {
    problems.push('DATABASE_URL is missing: DATABASE_DIRECT_URL is the same database past a pooler');
  }
  if (config.outboundQueueBytes < config.wsMaxPayloadBytes) {
    problems.push(
      `OUTBOUND_QUEUE_BYTES is ${config.outboundQueueBytes}, less than WS_MAX_PAYLOAD_BYTES (${config.wsMaxPayloadBytes}): what an editor may send has to fit into what may wait for another. Raise it, or lower that`,
    );
  }
  return problems;
}
