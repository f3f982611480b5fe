import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { z } from 'zod';
import type { Environment } from '../../../platform/config.ts';
import { type GivenOptions, isOutputType, optionMembers } from '../../integration/conversion-options.ts';
import { UsageError } from './exit-codes.ts';

/** A file to be made. Types are usual extensions in lower case. */
export interface RequestedFile {
  source: string;
  fromType: string;
  /** As asked for: a type, or `ooxml`, `odf`, `pdfa`. */
  outputType: string;
  /** Where the result goes, given its type. */
  target: (fileType: string) => string;
}

export interface FileFlags {
  from?: string | undefined;
  to?: string | undefined;
  outDir?: string | undefined;
}

/**
 * The files that the arguments name. Without `--to` they are `IN OUT`. With it every file is a source, and its result is beside
 * it or in `--out-dir`. @throws UsageError
 */
export function requestedFiles(files: readonly string[], flags: FileFlags): RequestedFile[] {
  const requested =
    flags.to === undefined ? [pairOf(files, flags)] : files.map((one) => sourceOf(one, flags));
  for (const { outputType } of requested) {
    if (!isOutputType(outputType)) throw new UsageError(`There is no format ${outputType || '(none)'}.`);
  }
  return requested;
}

function pairOf(files: readonly string[], { from, outDir }: FileFlags): RequestedFile {
  const [source, target, ...others] = files;
  if (source === undefined || target === undefined || others.length > 0) {
    throw new UsageError('Give a file and the name of its result, or --to and any number of files.');
  }
  if (outDir !== undefined) throw new UsageError('--out-dir is for results of --to.');
  const outputType = typeOf(target);
  if (outputType === '') throw new UsageError(`The name ${target} does not say a format; use --to.`);
  return { source, fromType: from?.toLowerCase() ?? typeOf(source), outputType, target: () => target };
}

function sourceOf(source: string, { from, to, outDir }: FileFlags): RequestedFile {
  const stem = path.basename(source, path.extname(source));
  return {
    source,
    fromType: from?.toLowerCase() ?? typeOf(source),
    outputType: to!.toLowerCase(),
    target: (fileType) => path.join(outDir ?? path.dirname(source), `${stem}.${fileType}`),
  };
}

const typeOf = (file: string): string => path.extname(file).slice(1).toLowerCase();

/** Flags for options of the conversion; `--options` takes all others of the conversion API. */
export interface OptionFlags {
  codePage?: string | undefined;
  delimiter?: string | undefined;
  region?: string | undefined;
  pdfa?: boolean | undefined;
  thumbnail?: string | undefined;
  allPages?: boolean | undefined;
  options?: string | undefined;
}

const delimiters: Readonly<Record<string, number>> = {
  none: 0,
  tab: 1,
  semicolon: 2,
  colon: 3,
  comma: 4,
  space: 5,
};

const optionSchema = z.strictObject(optionMembers);

/** Flags as options of the conversion API (integration API, 9.1). @throws UsageError */
export function optionsOfFlags(flags: OptionFlags): GivenOptions {
  const { codePage, region, pdfa, options } = flags;
  const given = {
    ...(options === undefined ? {} : jsonObject(options)),
    ...(codePage === undefined ? {} : { codePage }),
    ...(region === undefined ? {} : { region }),
    ...delimiterOf(flags.delimiter),
  };
  const pictures = thumbnailOf(flags);
  const read = optionSchema.safeParse({
    ...given,
    ...(pictures ? { thumbnail: { ...(given as { thumbnail?: object }).thumbnail, ...pictures } } : {}),
    ...(pdfa ? { pdf: { ...(given as { pdf?: object }).pdf, pdfa: true } } : {}),
  });
  if (read.success) return read.data;
  const wrong = read.error.issues.map(({ path, message }) => `${path.join('.') || 'options'}: ${message}`);
  throw new UsageError(wrong.join('; '));
}

function jsonObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch {
    // Refused below.
  }
  throw new UsageError('--options is no JSON object.');
}

function delimiterOf(text: string | undefined): { delimiter?: number; delimiterChar?: string } {
  if (text === undefined) return {};
  const number = delimiters[text];
  if (number !== undefined) return { delimiter: number };
  if ([...text].length === 1) return { delimiterChar: text };
  throw new UsageError(`--delimiter is one character, or ${Object.keys(delimiters).join(', ')}.`);
}

/** `WxH` is a box that the page is fitted into. */
function thumbnailOf({ thumbnail, allPages }: OptionFlags): object | null {
  if (thumbnail === undefined) return allPages ? { first: false } : null;
  const [, width, height] = /^(\d+)x(\d+)$/.exec(thumbnail) ?? [];
  if (width === undefined || height === undefined) throw new UsageError('--thumbnail is WIDTHxHEIGHT.');
  return { aspect: 1, width, height, first: !allPages };
}

/** Where a password is. It is never an argument, since everybody on the machine can read arguments. */
interface PasswordFlags {
  ask?: boolean | undefined;
  file?: string | undefined;
  variable?: string | undefined;
}

/** The password; undefined without a flag for it. @throws UsageError */
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
