import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const timeoutMs = 20_000;

/** What a program prints; null where it is not installed or fails. */
export async function outputOf(program: string, ...given: string[]): Promise<string | null> {
  try {
    return (await run(program, given, { timeout: timeoutMs, maxBuffer: 64 * 1024 ** 2 })).stdout;
  } catch {
    return null;
  }
}
