import { resolve } from 'node:path';

/** Outcome of reading one setting: its value, or what is wrong with the text, as the end of "NAME …". */
export type Parsed<Value> = { value: Value } | { problem: string };

/** One setting: where it is read from, what it means and how its text becomes a value. */
export interface Setting<Value> {
  /** Name of the environment variable. */
  env: string;
  /** Word for the type in the table of settings. */
  type: string;
  /** What the table of settings shows as the default. */
  defaultText: string;
  /** What the setting does: one sentence. */
  description: string;
  /** The value when the variable is absent or empty. */
  defaultValue: Value;
  /** `text` is trimmed and not empty. */
  parse(text: string): Parsed<Value>;
  /** The value may instead be in the file that `<env>_FILE` names, and is never shown. */
  secret?: boolean;
}

const trueWords = new Set(['true', '1', 'yes']);
const falseWords = new Set(['false', '0', 'no']);

/** `true`, `1`, `yes` or `false`, `0`, `no`, in any case. */
export function flag(env: string, defaultValue: boolean, description: string): Setting<boolean> {
  return {
    env,
    type: 'boolean',
    defaultText: String(defaultValue),
    description,
    defaultValue,
    parse(text) {
      const word = text.toLowerCase();
      if (trueWords.has(word)) return { value: true };
      if (falseWords.has(word)) return { value: false };
      return { problem: `must be true or false (also 1, 0, yes, no), not "${text}"` };
    },
  };
}

/** A flag that may be absent; `absent` tells the reader of the table what happens then. */
export function optionalFlag(env: string, absent: string, description: string): Setting<boolean | undefined> {
  return { ...flag(env, false, description), defaultText: absent, defaultValue: undefined };
}

/** A whole number from `min` to `max`, both included. */
export function integer(
  env: string,
  defaultValue: number,
  bounds: { min: number; max: number },
  description: string,
): Setting<number> {
  return {
    env,
    type: 'integer',
    defaultText: String(defaultValue),
    description,
    defaultValue,
    parse(text) {
      const value = Number(text);
      if (!/^\d{1,15}$/.test(text) || value < bounds.min || value > bounds.max) {
        return { problem: `must be a whole number from ${bounds.min} to ${bounds.max}, not "${text}"` };
      }
      return { value };
    },
  };
}

/** One of a few words. */
export function choice<const Word extends string>(
  env: string,
  defaultValue: Word,
  words: readonly Word[],
  description: string,
): Setting<Word> {
  return {
    env,
    type: words.map((word) => `\`${word}\``).join(', '),
    defaultText: defaultValue,
    description,
    defaultValue,
    parse(text) {
      const value = words.find((word) => word.toLowerCase() === text.toLowerCase());
      return value ? { value } : { problem: `must be one of ${words.join(', ')}, not "${text}"` };
    },
  };
}

/** For settings of which nothing is known. */
export const anyText = { pattern: /^[^\0]+$/, form: 'a text without NUL' };

/** Any text that `pattern` matches; `form` says in words what that is. */
export function text(
  env: string,
  defaultValue: string,
  rule: { pattern: RegExp; form: string },
  description: string,
): Setting<string> {
  return {
    env,
    type: 'text',
    defaultText: defaultValue,
    description,
    defaultValue,
    parse: (value) =>
      rule.pattern.test(value) ? { value } : { problem: `must be ${rule.form}, not "${value}"` },
  };
}

/** Text that may be absent; `absent` tells the reader of the table what happens then. */
export function optionalText(
  env: string,
  absent: string,
  rule: { pattern: RegExp; form: string },
  description: string,
): Setting<string | undefined> {
  return { ...text(env, '', rule, description), defaultText: absent, defaultValue: undefined };
}

/**
 * A file or directory. Made absolute here, once, from the directory that the process was started in: what reads the
 * configuration never has to think of that.
 */
export function path(env: string, defaultPath: string, description: string): Setting<string> {
  const written = text(env, defaultPath, anyText, description);
  return {
    ...written,
    defaultValue: resolve(defaultPath),
    parse(value) {
      const parsed = written.parse(value);
      return 'value' in parsed ? { value: resolve(parsed.value) } : parsed;
    },
  };
}

/** A path that may be absent; `absent` tells the reader of the table what happens then. */
export function optionalPath(env: string, absent: string, description: string): Setting<string | undefined> {
  return { ...path(env, '', description), defaultText: absent, defaultValue: undefined };
}

/** Paths of files, separated by commas; none by default. */
export function paths(env: string, description: string): Setting<readonly string[]> {
  return {
    env,
    type: 'list of paths',
    defaultText: 'none',
    description,
    defaultValue: [],
    parse: (text) => ({
      value: text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '')
        .map((part) => resolve(part)),
    }),
  };
}

/** A path, or one of a few words in place of one; the first word is the default. */
export function wordOrPath(
  env: string,
  words: readonly [string, ...string[]],
  description: string,
): Setting<string> {
  const named = path(env, '', description);
  return {
    ...named,
    defaultText: words[0],
    defaultValue: words[0],
    parse: (value) => (words.includes(value) ? { value } : named.parse(value)),
  };
}

/** A regular expression, absent by default. */
export function expression(env: string, absent: string, description: string): Setting<RegExp | undefined> {
  return {
    env,
    type: 'regular expression',
    defaultText: absent,
    description,
    defaultValue: undefined,
    parse(text) {
      try {
        return { value: new RegExp(text, 'i') };
      } catch (error) {
        return { problem: `must be a regular expression: ${(error as Error).message}` };
      }
    },
  };
}

/**
 * An address with one of the given schemes, kept as it was written. It is not repeated in a problem, because
 * a database address carries a password.
 */
export function address(
  env: string,
  absent: string,
  schemes: readonly string[],
  description: string,
): Setting<string | undefined> {
  const form = schemes.map((scheme) => `${scheme}://`).join(' or ');
  return {
    env,
    type: 'URL',
    defaultText: absent,
    description,
    defaultValue: undefined,
    parse(value) {
      const problem = `must be an address that starts with ${form}`;
      if (!URL.canParse(value)) return { problem };
      return schemes.includes(new URL(value).protocol.slice(0, -1)) ? { value } : { problem };
    },
  };
}

/** A secret of at least one character, never repeated in a problem. */
export function secret(env: string, absent: string, description: string): Setting<string | undefined> {
  return {
    env,
    type: 'secret',
    defaultText: absent,
    description,
    defaultValue: undefined,
    secret: true,
    parse: (value) => ({ value }),
  };
}
