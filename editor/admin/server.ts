import { QuireError } from '../../platform/quire-error.ts';
import type { AdminErrorCode } from '../../services/admin/admin-error.ts';
import type { ErrorAnswer, PartName } from '../../services/admin/api.ts';
import { type StringKey, t } from '../strings/strings.ts';
import { healthNames } from './names.ts';

type Code = AdminErrorCode | 'network';

/** The server refused, or could not be reached. The message is for people, in their language. */
export class AdminRefusal extends QuireError<Code> {
  constructor(code: Code, part?: PartName) {
    super(code, t(texts[code], { part: part ? t(healthNames[part]) : '' }), {
      retryable: code === 'network',
    });
  }
}

const texts: Readonly<Record<Code, StringKey>> = {
  network: 'admin.errorNetwork',
  internal: 'admin.errorInternal',
  'bad-request': 'admin.errorBadRequest',
  'not-signed-in': 'admin.errorNotSignedIn',
  'wrong-password': 'admin.errorWrongPassword',
  'read-only': 'admin.errorReadOnly',
  'other-site': 'admin.errorOtherSite',
  'unknown-address': 'admin.errorUnknown',
  'unknown-document': 'admin.errorUnknown',
  'unknown-save': 'admin.errorUnknown',
  'unknown-node': 'admin.errorUnknown',
  'no-file': 'admin.errorNoFile',
  'not-confirmed': 'admin.errorNotConfirmed',
  'nothing-to-save': 'admin.errorNothingToSave',
  'not-readable': 'admin.errorNotReadable',
  'not-forgotten': 'admin.errorNotForgotten',
  'not-waiting': 'admin.errorNotWaiting',
  'under-way': 'admin.errorUnderWay',
  'in-use': 'admin.errorInUse',
  'no-address': 'admin.errorNoAddress',
  'too-many-attempts': 'admin.errorTooMany',
  unavailable: 'admin.errorUnavailable',
  'node-silent': 'admin.errorNodeSilent',
  unanswered: 'admin.errorUnanswered',
};

/** Addresses are relative to the page, wherever the administration is mounted. */
export const addressOf = (path: string): string => `api/${path}`;

/**
 * Asks the server.
 * @throws AdminRefusal
 */
export async function ask<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  const headers = { 'x-quire-admin': '1', ...(body && { 'content-type': 'application/json' }) };
  let response: Response;
  try {
    response = await fetch(addressOf(path), { method, headers, ...(body && { body: JSON.stringify(body) }) });
  } catch {
    throw new AdminRefusal('network');
  }
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) return answer as Answer;
  const { code, part } = (answer as ErrorAnswer | null)?.error ?? {};
  throw code !== undefined && code in texts ? new AdminRefusal(code, part) : new AdminRefusal('internal');
}
