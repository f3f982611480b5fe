import { settings } from './settings.js';

/**
 * The changes of one save. Those of the word model put a letter at the beginning of the first paragraph, where one fits
 * whatever others have done meanwhile; the client id says when they were sent.
 */
export function changesOf(author, saveNumber) {
  const list = [];
  for (let at = 0; at < settings.changesPerSave; at += 1) {
    list.push(settings.model === 'word' ? letter(author, saveNumber, at) : `${saveNumber};${author}.${at}`);
  }
  return list;
}

const letter = (author, saveNumber, at) =>
  JSON.stringify({
    c: author,
    n: saveNumber * settings.changesPerSave + at + 1,
    s: {
      stepType: 'replace',
      from: 1,
      to: 1,
      slice: { content: [{ type: 'text', text: String.fromCharCode(97 + (at % 26)) }] },
    },
  });
