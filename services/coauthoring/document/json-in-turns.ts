import { longCharacters } from '../../../platform/ports/peer.ts';

/** Others have the event loop when it resolves. */
type Turn = () => Promise<void>;

/** Whether the units before and behind a place are halves of one character. */
function isWithinCharacter(text: string, at: number): boolean {
  const [before, behind] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return before >= 0xd800 && before <= 0xdbff && behind >= 0xdc00 && behind <= 0xdfff;
}

/** The same as `JSON.stringify(text)`. Of a long text it is made in turns. */
export async function quotedInTurns(text: string, turn: Turn): Promise<string> {
  if (text.length <= longCharacters) return JSON.stringify(text);
  let quoted = '"';
  for (let at = 0; at < text.length; await turn()) {
    let end = at + longCharacters;
    // Half of a character would be escaped.
    if (isWithinCharacter(text, end)) end += 1;
    quoted += JSON.stringify(text.slice(at, end)).slice(1, -1);
    at = end;
  }
  return `${quoted}"`;
}

/** The same as `JSON.stringify(texts)`. Of many or long texts it is made in turns. */
export async function listInTurns(texts: readonly string[], turn: Turn): Promise<string> {
  const parts: string[] = [];
  let characters = 0;
  let fromNumber = 0;
  for (const [number, text] of texts.entries()) {
    characters += text.length;
    if (characters <= longCharacters) continue;
    if (fromNumber < number) parts.push(JSON.stringify(texts.slice(fromNumber, number)).slice(1, -1));
    parts.push(await quotedInTurns(text, turn));
    await turn();
    fromNumber = number + 1;
    characters = 0;
  }
  if (parts.length === 0) return JSON.stringify(texts);
  if (fromNumber < texts.length) parts.push(JSON.stringify(texts.slice(fromNumber)).slice(1, -1));
  return `[${parts.join(',')}]`;
}
