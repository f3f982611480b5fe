import type { WordList, WordListLevel } from '../../../../model/word/document.ts';
import type { XmlDocument } from '../xml-document.ts';
import type { XmlElement } from '../xml-scanner.ts';
import { readParagraphProperties } from './paragraph-properties.ts';

/** The lists of a numbering part (17.9): each `w:num` with the levels it means, overrides applied. */
export function readLists(xml: XmlDocument): WordList[] {
  const abstract = new Map<string, WordListLevel[]>();
  const lists: WordList[] = [];
  for (const element of xml.root.children) {
    if (element.name === 'w:abstractNum') {
      abstract.set(xml.attribute(element, 'w:abstractNumId') ?? '', readLevels(xml, element));
    }
  }
  for (const element of xml.root.children) {
    if (element.name !== 'w:num') continue;
    const id = xml.attribute(element, 'w:numId');
    const base = abstract.get(xml.attribute(xml.child(element, 'w:abstractNumId'), 'w:val') ?? '') ?? [];
    if (id !== undefined) lists.push({ id, levels: withOverrides(xml, element, base) });
  }
  return lists;
}

function readLevels(xml: XmlDocument, parent: XmlElement): WordListLevel[] {
  return parent.children.filter(({ name }) => name === 'w:lvl').map((element) => readLevel(xml, element));
}

function readLevel(xml: XmlDocument, element: XmlElement): WordListLevel {
  const value = (name: string) => xml.attribute(xml.child(element, name), 'w:val');
  const paragraph = readParagraphProperties(xml, xml.child(element, 'w:pPr'));
  return {
    level: wholeNumber(xml.attribute(element, 'w:ilvl'), 0),
    format: value('w:numFmt') ?? 'decimal',
    text: value('w:lvlText') ?? '',
    start: wholeNumber(value('w:start'), 0),
    indentLeft: paragraph.indentLeft ?? null,
    indentFirst: paragraph.indentFirst ?? null,
    suffix: 'tab',
    run: {},
  };
}

function withOverrides(
  xml: XmlDocument,
  element: XmlElement,
  base: readonly WordListLevel[],
): WordListLevel[] {
  const levels = new Map(base.map((level) => [level.level, level]));
  for (const override of element.children.filter(({ name }) => name === 'w:lvlOverride')) {
    const number = wholeNumber(xml.attribute(override, 'w:ilvl'), 0);
    const [whole] = readLevels(xml, override);
    const start = xml.attribute(xml.child(override, 'w:startOverride'), 'w:val');
    const level = whole ?? levels.get(number);
    if (level)
      levels.set(number, start === undefined ? level : { ...level, start: wholeNumber(start, level.start) });
  }
  return [...levels.values()];
}

function wholeNumber(text: string | undefined, otherwise: number): number {
  const value = Number(text ?? Number.NaN);
  return Number.isSafeInteger(value) ? value : otherwise;
}
