import { type ReleasedLock, websocketMaxPayloadSize } from '../../../client/protocol/index.ts';
import { stringsInTurns } from '../../../platform/json-in-turns/reading.ts';
import type { Turn } from '../../../platform/json-in-turns/turn.ts';
import { bytesInTurns } from '../../../platform/json-in-turns/utf8.ts';
import { quotedInTurns } from '../../../platform/json-in-turns/writing.ts';
import type { Author, StoredBatch } from '../../../platform/ports/change-log.ts';
import { Frame, longCharacters } from '../../../platform/ports/peer.ts';

/** A part of a batch as clients get it: `objects` is the JSON of its changes, in parts, which end before `nextIndex`. */
export interface BatchPiece {
  objects: readonly string[];
  characters: number;
  nextIndex: number;
  isLast: boolean;
}

/** A message with changes is about so large, characters; one with a single change may exceed it. */
export const pieceCharacters = websocketMaxPayloadSize;

/**
 * The changes of a batch as clients get them, in pieces of one message each: the strings are stored once and quoted here, and a
 * batch of many tiny changes grows by that. `quotedAlone`: what `quoteAlone` has made of the batch.
 */
export function* piecesOf(
  key: string,
  batch: StoredBatch,
  changes: readonly string[],
  quotedAlone: readonly string[] | null = null,
): Generator<BatchPiece, void, undefined> {
  const { before, after } = around(key, batch.author, batch.savedAtMs);
  if (quotedAlone) {
    yield pieceOf([before, ...quotedAlone, after], batch.nextIndex, true);
    return;
  }
  let objects: string[] = [];
  let characters = 0;
  let nextIndex = batch.nextIndex - changes.length;
  const isWhole = nextIndex === batch.firstIndex;
  for (const change of changes) {
    // A single change is the largest there is, and its JSON is in that of the batch.
    const json = isWhole && changes.length === 1 ? batch.changes.slice(1, -1) : JSON.stringify(change);
    const text = `${before}${JSON.stringify(json)}${after}`;
    if (characters + text.length > pieceCharacters && objects.length > 0) {
      yield pieceOf([objects.join(',')], nextIndex, false);
      objects = [];
      characters = 0;
    }
    objects.push(text);
    characters += text.length + 1;
    nextIndex += 1;
  }
  yield pieceOf([objects.join(',')], nextIndex, true);
}

const pieceOf = (objects: readonly string[], nextIndex: number, isLast: boolean): BatchPiece => {
  const characters = objects.reduce((sum, { length }) => sum + length, 0);
  return { objects, characters, nextIndex, isLast };
};

/**
 * The JSON of the only change of a batch, quoted as clients get it, in parts; null where the batch is short or has several. A single
 * change is the largest there is: its JSON is in that of the batch, and it is quoted in turns.
 */
export async function quoteAlone(batch: StoredBatch, turn: Turn): Promise<string[] | null> {
  const { changes: text, firstIndex, nextIndex } = batch;
  if (text.length <= longCharacters || nextIndex - firstIndex !== 1) return null;
  return quotedInTurns(text.slice(1, -1), turn);
}

/** What stands around each change. */
function around(key: string, author: Author, savedAtMs: number): { before: string; after: string } {
  const { uniqueId, userId, stamp } = author;
  const stamped = stamp ? `,"quireAuthor":${JSON.stringify(stamp)}` : '';
  return {
    before: `{"docid":${JSON.stringify(key)},"change":`,
    after: `,"time":${savedAtMs},"user":${JSON.stringify(uniqueId)},"useridoriginal":${JSON.stringify(userId)}${stamped}}`,
  };
}

/** A character of the JSON of a list of changes becomes at most so many bytes when it is quoted once more. */
const mostBytesOfCharacter = 7;

/**
 * Whether a batch takes at most so many bytes as others are sent it. `text` is the JSON of its changes, `beside` what goes with
 * them. Where that takes long, it is done in turns.
 */
export async function fitsAsSent(
  key: string,
  author: Author,
  { text, changes, beside }: { text: string; changes: readonly string[]; beside: number },
  mostBytes: number,
  turn: Turn,
): Promise<boolean> {
  const { before, after } = around(key, author, Date.now());
  const perChange = Buffer.byteLength(before) + Buffer.byteLength(after) + 1;
  let bytes = beside + changes.length * perChange;
  if (bytes + mostBytesOfCharacter * text.length <= mostBytes) return true;
  // Each change gets quotes, and no JSON of it is shorter than the one that is quoted.
  const room = mostBytes - bytes - changes.length - (await bytesInTurns(text, turn));
  if ((await escapedSigns(text, room, turn)) <= room) return true;
  let characters = 0;
  for (const change of changes) {
    if (bytes > mostBytes) return false;
    characters += change.length;
    if (characters > longCharacters) {
      await turn();
      characters = 0;
    }
    bytes += Buffer.byteLength(JSON.stringify(JSON.stringify(change)));
  }
  return bytes <= mostBytes;
}

/** After so many signs that were found, the next are looked for in another turn. */
const signsAtOnce = 65_536;

/** How many characters of a JSON text take one more when it is quoted; where these are more than `most`, not how many more. */
async function escapedSigns(text: string, most: number, turn: Turn): Promise<number> {
  let count = 0;
  for (const sign of ['"', '\\']) {
    for (let at = text.indexOf(sign); at >= 0 && count <= most; at = text.indexOf(sign, at + 1)) {
      count += 1;
      if (count % signsAtOnce === 0) await turn();
    }
  }
  return count;
}

/** What the `saveChanges` broadcast of a batch has beside its changes. */
export interface BroadcastDetails {
  isLast: boolean;
  locks: readonly ReleasedLock[];
  excelAdditionalInfo: string | null;
}

/**
 * The `saveChanges` broadcast of a batch (co-authoring protocol, section 12.5). A large one is several, as those of a save in
 * parts are; what there is beside the changes comes with the last.
 */
export function* broadcastsOf(
  key: string,
  batch: StoredBatch,
  changes: readonly string[],
  { isLast, locks, excelAdditionalInfo }: BroadcastDetails,
  quotedAlone: readonly string[] | null = null,
): Generator<Frame, void, undefined> {
  for (const piece of piecesOf(key, batch, changes, quotedAlone)) {
    const rest = piece.isLast
      ? `"locks":${JSON.stringify(locks)},"excelAdditionalInfo":${JSON.stringify(excelAdditionalInfo)}`
      : '"locks":[],"excelAdditionalInfo":null';
    yield new Frame(
      '{"type":"saveChanges","changes":[',
      ...piece.objects,
      `],"changesIndex":${piece.nextIndex},"syncChangesIndex":${piece.nextIndex}` +
        `,"endSaveChanges":${isLast && piece.isLast},${rest}}`,
    );
  }
}

/** The changes of a batch from the one numbered `firstIndex` on. Long ones are read in turns. */
export async function changesFrom(batch: StoredBatch, firstIndex: number, turn: Turn): Promise<string[]> {
  const { changes: text } = batch;
  const changes =
    text.length > longCharacters ? await stringsInTurns(text, turn) : (JSON.parse(text) as string[]);
  const skip = Math.max(0, firstIndex - batch.firstIndex);
  return skip > 0 ? changes.slice(skip) : changes;
}
