import { applyEdits, type TextEdit } from '../package/text-edits.ts';

/** Makes ids that nothing of the document has. */
interface NewIds {
  nextRevisionId(): number;
  nextDrawingId(): number;
}

/** An attribute that identifies elements of one kind. The pattern captures what stands before it, and its value. */
interface Identity {
  readonly pattern: RegExp;
  fresh(used: ReadonlySet<string>, ids: NewIds): string;
}

const IDENTITIES: readonly Identity[] = [
  // Tracked changes (17.13.5).
  {
    pattern:
      /(<w:(?:ins|del|moveFrom|moveTo|cellIns|cellDel|cellMerge|\w+Change)\b[^>]*?\bw:id\s*=\s*["'])(-?\d+)(?=["'])/g,
    fresh: (_used, ids) => String(ids.nextRevisionId()),
  },
  // Drawings (20.4.2.5).
  {
    pattern: /(<wp:docPr\b[^>]*?\bid\s*=\s*["'])(\d+)(?=["'])/g,
    fresh: (_used, ids) => String(ids.nextDrawingId()),
  },
  // Content controls (17.5.2.18).
  { pattern: /(<w:id\b[^>]*?\bw:val\s*=\s*["'])(-?\d+)(?=["'])/g, fresh: lowestFree },
  // Paragraphs ([MS-DOCX] 2.6.2.3).
  { pattern: /(<w:p\b[^>]*?\b\w+:paraId\s*=\s*["'])([0-9A-Fa-f]{8})(?=["'])/g, fresh: highestFree },
];

/**
 * The main part with an id of its own for every copy. A copy of what the model does not hold is the XML of the original, with
 * its ids. Ids that the file itself has several times stay so, as often as the file has them.
 */
export function withDistinctIds(written: string, opened: string, ids: NewIds): string {
  let text = written;
  for (const { pattern, fresh } of IDENTITIES) {
    const found = [...text.matchAll(pattern)];
    const counts = countsOf(found);
    if (counts.size === found.length) continue;
    const known = countsOf([...opened.matchAll(pattern)]);
    const used = new Set([...counts.keys(), ...known.keys()]);
    const seen = new Map<string, number>();
    const edits: TextEdit[] = [];
    for (const { 0: whole, 1: before = '', 2: value = '', index } of found) {
      const count = (seen.get(value) ?? 0) + 1;
      seen.set(value, count);
      if (count <= Math.max(1, known.get(value) ?? 0)) continue;
      const id = fresh(used, ids);
      used.add(id);
      edits.push({ start: index + before.length, end: index + whole.length, text: id });
    }
    text = applyEdits(text, edits);
  }
  return text;
}

function countsOf(matches: readonly RegExpMatchArray[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { 2: value = '' } of matches) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

function lowestFree(used: ReadonlySet<string>): string {
  let id = used.size;
  while (used.has(String(id))) id++;
  return String(id);
}

/** From above, as new comments take theirs from below. */
function highestFree(used: ReadonlySet<string>): string {
  let id = GREATEST_PARAGRAPH_ID - used.size;
  while (used.has(hexadecimal(id))) id--;
  return hexadecimal(id);
}

const GREATEST_PARAGRAPH_ID = 0x7fff_ffff;

const hexadecimal = (id: number): string => id.toString(16).toUpperCase().padStart(8, '0');
