/**
 * Why a process of LibreOffice ended: `time`, `memory`, `size` at a limit, `hung` when it answered no more, `crashed` by
 * itself, `killed` by somebody, `failed` when it did not even start, `unwanted` because nobody wanted its result.
 */
export type OfficeEndReason =
  | 'time'
  | 'memory'
  | 'size'
  | 'hung'
  | 'crashed'
  | 'killed'
  | 'failed'
  | 'unwanted';

/** A process of LibreOffice ended in the middle of a conversion. */
export class OfficeEnded extends Error {
  readonly reason: OfficeEndReason;
  /** Whether another process may do what this one did not: it was not the file that ended it. */
  readonly mayGoBetter: boolean;

  constructor(reason: OfficeEndReason, { mayGoBetter, said }: { mayGoBetter: boolean; said: string }) {
    super(`LibreOffice ended (${reason})`, { cause: new Error(said.trim() || 'it said nothing') });
    this.name = 'OfficeEnded';
    this.reason = reason;
    this.mayGoBetter = mayGoBetter;
  }
}
