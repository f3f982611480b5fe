import path from 'node:path';
import { isOutputType } from '../../integration/conversion-options.ts';
import { UsageError } from './usage-error.ts';

/** One file that is to be made. Types are usual extensions in lower case. */
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
 * What is to be made of which files: `IN OUT` without `--to`; with it every file is a source, and its result is beside it or in
 * `--out-dir`. @throws UsageError
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
