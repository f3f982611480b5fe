import { overLimit } from '../errors.ts';

/** Longest value of an entity, and most of them: drawing programs declare short names of namespaces. */
const maxEntityChars = 256;
const maxEntities = 64;

const declaration = /<!ENTITY\s+(%\s+)?([^\s"'>]+)\s+(?:(SYSTEM|PUBLIC)\b|"([^"]*)"|'([^']*)')?/g;

/**
 * Refuses what a document type declares so that a small file becomes a large one, or another file: entities that name
 * others or lie elsewhere, long ones, and many.
 * @throws ConversionError limits
 */
export function checkDoctype(text: string): void {
  let count = 0;
  for (const [, parameter, , external, quoted, single] of text.matchAll(declaration)) {
    const value = quoted ?? single;
    const isPlain = parameter === undefined && external === undefined && value !== undefined;
    count += 1;
    if (!isPlain || /[&%]/.test(value) || value.length > maxEntityChars || count > maxEntities) {
      throw overLimit('the file declares entities that are not taken');
    }
  }
}
