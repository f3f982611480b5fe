import type { ClientMessage, OpenCommand } from '../../../client/protocol/index.ts';

/** Of any message: reading it, and its part of the way through the server. Milliseconds, as all costs. */
const perMessage = 0.05;
const perMegabyte = 10;
const perBlock = 0.05;
const perPath = 0.02;
const perPicture = 5;
/** A message to somebody; in the largest documents it is not for one person to bear what the many cost. */
const perListener = 0.004;
const mostForListeners = 1;

/**
 * About what it costs the server to handle a message, in milliseconds of its event loop, the database's part included.
 * `listeners` hear what its sender says to everybody in the document.
 */
export function costOf(message: ClientMessage, characters: number, listeners: number): number {
  return perMessage + (characters / 1_000_000) * perMegabyte + costOfKind(message, listeners);
}

function costOfKind(message: ClientMessage, listeners: number): number {
  switch (message.type) {
    case 'saveChanges':
      return 0.1;
    case 'getLock':
      return 0.1 + message.block.length * perBlock;
    case 'cursor':
    case 'message':
      return 0.05 + Math.min(listeners * perListener, mostForListeners);
    case 'unLockDocument':
      return 0.3;
    case 'getMessages':
      return 2;
    case 'openDocument':
      return costOfCommand(message.message);
    case 'auth':
    case 'close':
    case 'forceSaveStart':
    case 'rpc':
      return 5;
    default:
      return 0;
  }
}

function costOfCommand({ c, data }: OpenCommand): number {
  const count = Array.isArray(data) ? data.length : 1;
  return 2 + (c.startsWith('imgurl') ? count * perPicture : count * perPath);
}
