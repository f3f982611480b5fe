/** The co-authoring protocol: every message in both directions, its numbers and its framing. */
export * from './change.ts';
export * from './client-messages.ts';
export * from './codes.ts';
export * from './excel-info.ts';
export * from './limits.ts';
export * from './lock.ts';
export * from './open-command.ts';
export * from './parse.ts';
export * from './participant.ts';
export * from './server-messages.ts';
export * from './socket-io.ts';
