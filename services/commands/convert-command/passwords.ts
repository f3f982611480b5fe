import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { Environment } from '../../../platform/config.ts';
import { UsageError } from './usage-error.ts';

/** Where a password is; never in the arguments, which everybody on the machine can read. */
export interface PasswordFlags {
  ask?: boolean | undefined;
  file?: string | undefined;
  variable?: string | undefined;
}

/** Undefined where none is wanted. @throws UsageError */
export async function passwordOf(
  flags: PasswordFlags,
  what: string,
  environment: Environment,
): Promise<string | undefined> {
  const { ask, file, variable } = flags;
  if ([ask, file, variable].filter((one) => one !== undefined).length > 1) {
    throw new UsageError(`The password ${what} is asked for, in a file or in a variable: one of them.`);
  }
  if (ask) return prompted(`Password ${what}: `);
  if (variable !== undefined) {
    const value = environment[variable];
    if (value === undefined) throw new UsageError(`There is no variable ${variable}.`);
    return value;
  }
  if (file === undefined) return undefined;
  const text = await readFile(file, 'utf8').catch(() => {
    throw new UsageError(`The password file ${file} cannot be read.`);
  });
  return text.replace(/\r?\n$/, '');
}

async function prompted(question: string): Promise<string> {
  if (!process.stdin.isTTY) throw new UsageError('There is no terminal to ask for a password on.');
  process.stderr.write(question);
  // What is typed is not shown.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  try {
    return await reader.question('');
  } finally {
    reader.close();
    process.stderr.write('\n');
  }
}
