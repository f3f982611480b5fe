import { AsyncLocalStorage } from 'node:async_hooks';
import { type LogFn, type Logger, pino, stdSerializers } from 'pino';
import { prettyFactory } from 'pino-pretty';
import type { Config } from './config.ts';
import { RepeatedLines } from './repeated-lines.ts';

export type { Logger } from 'pino';

/** Where lines go. */
interface LogDestination {
  write(line: string): unknown;
  isTTY?: boolean;
}

const removed = '[removed]';

/** Members that never reach the log, at the top of what is logged or in any object within it. */
const secretNames = new Set([
  'access_token',
  'accesstoken',
  'authorization',
  'cookie',
  'jwt',
  'jwtopen',
  'jwtsecret',
  'jwtsecretinbox',
  'jwtsecretoutbox',
  'jwtsecretprevious',
  'jwtsession',
  'jwtsessionsecret',
  'newpassword',
  'password',
  'passwords',
  's3accesskeyid',
  's3secretaccesskey',
  'savepassword',
  'sealed',
  'secret',
  'secrets',
  'securelinksecret',
  'session',
  'set-cookie',
  'token',
  'tokendownload',
  'tokensession',
]);

type HeaderSettings = 'jwtHeader' | 'jwtHeaderInbox' | 'jwtHeaderOutbox';

const deepest = 8;

/**
 * The log of a process: for people in a terminal, one JSON object per line elsewhere. Messages are constant
 * sentences, values are fields, errors go under `err`. Tokens, secrets, passwords and the queries of addresses
 * are removed from fields; they are not looked for in messages and in what is bound to child loggers. Warnings and errors
 * that say the same again and again are counted: after some lines one a minute is written, with `repeated`.
 *
 * `destination` replaces standard output.
 */
export function createLogger(
  config: Pick<Config, 'logLevel' | 'logFormat' | HeaderSettings>,
  destination: LogDestination = process.stdout,
): Logger {
  const headers = [config.jwtHeader, config.jwtHeaderInbox, config.jwtHeaderOutbox];
  const names = new Set([...secretNames, ...headers.map((header) => header?.toLowerCase())]);
  const repeated = new RepeatedLines();
  return pino(
    {
      hooks: {
        logMethod(args, write, level) {
          const same =
            level < throttledFrom || level >= pino.levels.values.fatal! ? null : saidBy(this, args);
          const later = (count: number) => write.apply(this, withCount(args, count));
          if (same === null || repeated.isWritten(`${level} ${same}`, later)) write.apply(this, args);
        },
      },
      level: config.logLevel,
      base: null,
      mixin: currentLogFields,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => withoutSecrets(fields, names, 0) as Record<string, unknown>,
      },
      serializers: { err: (err: unknown) => err },
    },
    isForPeople(config, destination) ? prettified(destination) : destination,
  );
}

const throttledFrom = pino.levels.values.warn!;

type LogArguments = Parameters<LogFn>;

/**
 * What a line says, so that the next one can be compared with it: its sentence, its fields, what is bound to its logger, and
 * of errors what they are, without the stack. Null when a field cannot be compared: such a line is always written.
 */
function saidBy(log: Logger, [first, second]: readonly unknown[]): string | null {
  if (typeof first === 'string') return JSON.stringify([log.bindings(), currentLogFields(), first]);
  if (typeof first !== 'object' || first === null || first instanceof Error) return null;
  const fields: unknown[] = [log.bindings(), currentLogFields(), second];
  for (const [name, value] of Object.entries(first)) {
    // While a part is away every attempt of every editor is another connection.
    if (name === 'connectionId') continue;
    if (value instanceof Error) fields.push(name, ...errorSaid(value, 0));
    else if (typeof value === 'object' && value !== null) return null;
    else fields.push(name, String(value));
  }
  return JSON.stringify(fields);
}

function errorSaid(error: Error, depth: number): string[] {
  const { name, message, cause } = error;
  const own = [name, message, String((error as NodeJS.ErrnoException).code)];
  return cause instanceof Error && depth < deepest ? [...own, ...errorSaid(cause, depth + 1)] : own;
}

/** The same line, which stands for `count` lines that were left out. */
function withCount([first, ...rest]: LogArguments, count: number): LogArguments {
  const whole: readonly unknown[] =
    typeof first === 'string'
      ? [{ repeated: count }, first]
      : [{ ...Object(first), repeated: count }, ...rest];
  return whole as LogArguments;
}

/** Whether the log is read as it comes: it goes to a terminal, or is made as for one. */
export function isForPeople(
  { logFormat }: Pick<Config, 'logFormat'>,
  destination: LogDestination = process.stdout,
): boolean {
  return logFormat === 'pretty' || (logFormat === 'auto' && destination.isTTY === true);
}

function prettified(destination: LogDestination): LogDestination {
  const format = prettyFactory({
    colorize: destination.isTTY === true,
    translateTime: 'SYS:HH:MM:ss.l',
    singleLine: true,
  });
  return { write: (line) => destination.write(format(line)) };
}

/**
 * A copy in which secrets are replaced. It is bounded in depth, so that nothing large or cyclic is walked. What is no plain data, such as the
 * connection that a library hangs on its errors, is named by its class.
 */
function withoutSecrets(value: unknown, names: ReadonlySet<string | undefined>, depth: number): unknown {
  if (typeof value === 'string') return withoutQuery(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === deepest) return '[deep]';
  if (value instanceof Error) return withoutSecrets(stdSerializers.errWithCause(value), names, depth + 1);
  if (value instanceof Date || Buffer.isBuffer(value)) return value instanceof Date ? value : '[bytes]';
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, names, depth + 1));
  const kind: unknown = Object.getPrototypeOf(value)?.constructor;
  if (typeof kind === 'function' && kind !== Object) return `[${kind.name}]`;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      names.has(name.toLowerCase()) ? removed : withoutSecrets(member, names, depth + 1),
    ]),
  );
}

/** Queries of addresses hold signatures and tokens, and the part before an @ a password. */
function withoutQuery(text: string): string {
  return text.replace(
    /\b([a-z][a-z+]{0,20}:\/\/)(?:[^\s/?#@]*@)?([^\s?#"'<>]*)([?#][^\s"'<>]*)?/gi,
    (_all, scheme, rest, query) => (query ? `${scheme}${rest}?${removed}` : `${scheme}${rest}`),
  );
}

const context = new AsyncLocalStorage<Readonly<Record<string, unknown>>>();

/** Adds these fields to every line that is logged while `work` runs. */
export function withLogFields<Result>(
  fields: Readonly<Record<string, unknown>>,
  work: () => Promise<Result>,
): Promise<Result> {
  return context.run({ ...context.getStore(), ...fields }, work);
}

/** The fields of what runs now. */
const currentLogFields = (): object => ({ ...context.getStore() });
