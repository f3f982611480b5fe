import { DocumentOpenError } from '../../../client/client-error.ts';
import { ServiceError } from '../../../client/protocol/codes.ts';

/** What has to be said before a file can be opened. `source`: where the plain text is of which nothing says its encoding. */
export type OpeningQuestion = { kind: 'password'; isWrong: boolean } | { kind: 'encoding'; source: string };

/** What this person has said so far; `codepage` is a number of the editors' list of encodings. */
export interface OpeningAnswers {
  readonly password?: string;
  readonly codepage?: number;
}

/** What a failed opening asks for; null for other failures, and where the answer did not help. */
export function questionIn(error: unknown, given: OpeningAnswers): OpeningQuestion | null {
  if (!(error instanceof DocumentOpenError)) return null;
  const { status, data } = error;
  if (status === 'needpassword') {
    const isWrong = data === ServiceError.convertWrongPassword;
    return isWrong || given.password === undefined ? { kind: 'password', isWrong } : null;
  }
  const isText = status === 'needparams' && typeof data === 'string' && given.codepage === undefined;
  return isText ? { kind: 'encoding', source: data } : null;
}
