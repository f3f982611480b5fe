import { DocumentClientError, type DocumentClientErrorCode } from './client-error.ts';
import { DisconnectCode, type ServerMessageOf } from './protocol/index.ts';
import type { TransportEnd } from './transports/transport.ts';

function ending(
  code: DocumentClientErrorCode,
  detail: string | null | undefined,
  protocolCode: number | null | undefined,
): DocumentClientError {
  return new DocumentClientError(
    code,
    detail || code,
    typeof protocolCode === 'number' ? { protocolCode } : {},
  );
}

/** The connection ended for good. */
export function transportEnding(end: TransportEnd): DocumentClientError {
  switch (end.kind) {
    case 'refused':
      return ending('refused', end.description, end.code);
    case 'dismissed':
      return ending('refused', 'the server ended the connection', null);
    case 'lost':
      return ending('unreachable', end.detail, null);
  }
}

/** Messages after which the session does not go on. */
export type EndingMessage =
  | ServerMessageOf<'error'>
  | ServerMessageOf<'drop'>
  | ServerMessageOf<'disconnectReason'>;

/** A soft error means a refusal before a session was established, and a document that moved on after. */
export function messageEnding(message: EndingMessage, hadSession: boolean): DocumentClientError {
  switch (message.type) {
    case 'error':
      return ending(hadSession ? 'reload' : 'refused', message.description, message.code);
    case 'drop':
      return ending('dropped', message.description, Number(message.code) || DisconnectCode.drop);
    case 'disconnectReason':
      return ending('refused', message.description, message.code ?? DisconnectCode.drop);
  }
}
