import { WebSocket } from 'ws';
import { longCharacters } from '../../../platform/ports/peer.ts';

const longTexts = new WeakSet<Buffer>();

/** Whether a binary message is a long text. */
export const isLongText = (data: Buffer): boolean => longTexts.has(data);

/**
 * A WebSocket for Engine.IO, which turns every text into characters at once. A long one is handed on as a binary message, which it
 * leaves as it is.
 */
export class LongTextWebSocket extends WebSocket {
  override emit(event: string | symbol, ...rest: unknown[]): boolean {
    const [data, isBinary] = rest;
    if (event !== 'message' || isBinary !== false) return super.emit(event, ...rest);
    const text = data as Buffer;
    if (text.length <= longCharacters) return super.emit(event, ...rest);
    longTexts.add(text);
    return super.emit(event, text, true);
  }
}
