import { DOMParser, type ParseRule } from 'prosemirror-model';
import { wordSchema } from '../../../../model/word/schema.ts';

/**
 * Reads what the browser has made of the text after a key, where it may have copied or moved the elements of tracked
 * changes. What is pasted is read by another parser.
 */
export function revisionParser(): DOMParser {
  const rule = (mark: 'ins' | 'del'): ParseRule => ({
    tag: `${mark}[data-revision]`,
    mark,
    getAttrs: (element) => readRevision(element.getAttribute('data-revision')),
  });
  return new DOMParser(wordSchema, [rule('ins'), rule('del'), ...DOMParser.fromSchema(wordSchema).rules]);
}

function readRevision(json: string | null): Record<string, unknown> | false {
  try {
    return JSON.parse(json ?? '');
  } catch {
    return false;
  }
}
