import { shortPieces } from './pieces.ts';
import type { Turn } from './turn.ts';

/** The same as `Buffer.byteLength(text)`. That of a long text is counted in turns. */
export async function bytesInTurns(text: string, turn: Turn): Promise<number> {
  let bytes = 0;
  for (const piece of shortPieces(text)) {
    if (bytes > 0) await turn();
    bytes += Buffer.byteLength(piece);
  }
  return bytes;
}

/** The same as `Buffer.from(text)`. Those of a long text are made in turns. */
export async function utf8InTurns(text: string, turn: Turn): Promise<Buffer> {
  const all = Buffer.allocUnsafe(await bytesInTurns(text, turn));
  let at = 0;
  for (const piece of shortPieces(text)) {
    await turn();
    at += all.write(piece, at);
  }
  return all;
}
