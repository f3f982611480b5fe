/** The client library: one user's session in one document, for browsers and Node. */
export type { LoggedChange } from './change-sequence.ts';
export {
  CheckpointUnreadable,
  DocumentClientError,
  type DocumentClientErrorCode,
  DocumentOpenError,
} from './client-error.ts';
export { type Clock, systemClock } from './clock.ts';
export { DocumentClient } from './document-client.ts';
export type { ConnectionState, DocumentEvents, DocumentStatus, Ended, Stored } from './document-events.ts';
export type { LockResult } from './locks.ts';
export type * from './options.ts';
export type { ReconnectOptions } from './reconnect.ts';
export type { SaveState } from './save-loop.ts';
export { type PlainWsOptions, plainWsDial } from './transports/plain-ws.ts';
export { type SocketIoOptions, socketIoDial } from './transports/socket-io.ts';
export type * from './transports/transport.ts';
