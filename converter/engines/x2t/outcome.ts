import type { Ended } from '../../confinement/bounded-process.ts';
import { ConversionError, type ConversionErrorName, EngineEnded } from '../../errors.ts';
import { isPlain } from './formats.ts';

/** Exit codes of x2t: the protocol's numbers without their sign. */
const NEED_PARAMS = 89;
const meanings: Readonly<Record<number, ConversionErrorName>> = {
  82: 'unknownFormat',
  86: 'corrupted',
  // A pair of formats between which it has no way.
  88: 'unknownFormat',
  89: 'needParams',
  90: 'passwordRequired',
  91: 'wrongPassword',
  93: 'limits',
  96: 'limits',
};

const messages: Partial<Record<ConversionErrorName, string>> = {
  unknownFormat: 'the file cannot be converted from its format, or to the one that is wanted',
  corrupted: 'the file is damaged',
  needParams: 'the encoding or the delimiter of the file is not known',
  passwordRequired: 'the file is protected by a password',
  wrongPassword: 'the password is not the right one',
  limits: 'the file asks for more than a conversion may use',
};

/**
 * Says what went wrong in a run of x2t that did not end well. What it said itself is the cause.
 * @throws ConversionError, EngineEnded
 */
export function checkOutcome({ how, exitCode, signal, output }: Ended, fromType: string): void {
  if (how === 'exited' && exitCode === 0) return;
  const cause = new Error(`x2t ended with ${exitCode ?? signal}: ${output.trim() || 'it said nothing'}`);
  if (how === 'timeout' || signal === 'SIGXCPU') throw new EngineEnded('time', { cause });
  if (signal === 'SIGXFSZ') throw failure('limits', cause);
  if (/bad_alloc|out of memory|\bOOM\b/i.test(output)) throw new EngineEnded('memory', { cause });
  // What it cannot make out it takes for plain text.
  if (exitCode === NEED_PARAMS && !isPlain(fromType)) throw failure('corrupted', cause);
  throw failure(meanings[exitCode ?? 0] ?? 'convert', cause);
}

export function failure(kind: ConversionErrorName, cause: Error): ConversionError {
  return new ConversionError(kind, messages[kind] ?? 'the conversion failed', { cause });
}
