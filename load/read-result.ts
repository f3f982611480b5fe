import { readFile } from 'node:fs/promises';
import { ZodError, z } from 'zod';
import { QuireError } from '../platform/quire-error.ts';
import { type LoadResult, parseResult } from './result.ts';

export class ResultError extends QuireError<'bad_result'> {}

/** @throws ResultError that says why a file is no result */
export async function readResult(file: string): Promise<LoadResult> {
  try {
    return parseResult(await readFile(file, 'utf8'));
  } catch (cause) {
    const reason = cause instanceof ZodError ? z.prettifyError(cause) : (cause as Error).message;
    throw new ResultError('bad_result', `${file} is no result of a load test: ${reason}`, { cause });
  }
}
