import { QuireError } from '../../../platform/quire-error.ts';
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
export class OfficeEnded extends QuireError<OfficeEndReason> {
  /** `retryable`: the file was not the cause, so another process may succeed. */
  constructor(reason: OfficeEndReason, { retryable, said }: { retryable: boolean; said: string }) {
    const cause = new Error(said.trim() || 'it said nothing');
    super(reason, `LibreOffice ended (${reason})`, { cause, retryable });
  }
}
