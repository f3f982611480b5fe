import { decodeEnvelope } from '../../../model/log/change.ts';

/** A change that is larger is not parsed whole, characters. */
const parsedCharacters = 65_536;

/** How every editor of ours has begun its changes: who made it, which of theirs it is, and a step. */
const beginning = /^\{"c":"(?:[^"\\]|\\.){1,200}",(?:"n":\d{1,16},)?"s":[{[]/;

/**
 * Whether a text may be a change of one of our models. Of a large one only its beginning is looked at, where that is as our
 * editors write it; whether a change applies is for the model to say.
 */
export function mayBeChange(text: string): boolean {
  if (text.length > parsedCharacters && beginning.test(text)) return true;
  const envelope = decodeEnvelope(text);
  // What is too large or nested too deep for the model is no junk: an editor may have made it.
  if (typeof envelope === 'string') return envelope !== 'malformed';
  return envelope.step !== undefined;
}
