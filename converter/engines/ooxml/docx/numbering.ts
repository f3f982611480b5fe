import type { WordList, WordListLevel } from '../../../../model/word/document.ts';
import { type ListKind, NEW_LIST_LEVELS, newListLevel } from '../../../../model/word/new-lists.ts';
import { NEW_LIST } from '../../../../model/word/values.ts';
import { XmlDocument } from '../package/xml-document.ts';
import type { XmlElement } from '../package/xml-scanner.ts';
import { attributesXml } from '../package/xml-text.ts';
import type { ModelBudget } from './model-budget.ts';
import { readParagraphProperties } from './paragraph-properties.ts';
import { isOn } from './simple-types.ts';
import { readShownRun, type Theme } from './styles.ts';
import { WORD_PREFIXES, type WordVocabulary } from './vocabulary.ts';

const SUFFIXES = ['tab', 'space', 'nothing'] as const satisfies WordListLevel['suffix'][];

/** The lists of a numbering part (17.9): each `w:num` with the levels it means, overrides applied. */
export function readLists(xml: XmlDocument, theme: Theme, budget: ModelBudget): WordList[] {
  const abstract = readAbstractLists(xml, theme);
  const lists: WordList[] = [];
  for (const element of xml.root.children) {
    if (element.name !== 'w:num') continue;
    const id = xml.attribute(element, 'w:numId');
    const counter = xml.attribute(xml.child(element, 'w:abstractNumId'), 'w:val') ?? '';
    const base = abstract.get(counter) ?? [];
    budget.takeLevels(base.length + element.children.length);
    if (id !== undefined) lists.push({ id, counter, levels: withOverrides(xml, element, base, theme) });
  }
  return lists;
}

/** Levels by `w:abstractNumId`. One that names a list style (17.9.21) has the levels of the one that makes it. */
function readAbstractLists(xml: XmlDocument, theme: Theme): Map<string, WordListLevel[]> {
  const lists = new Map<string, WordListLevel[]>();
  const byStyle = new Map<string, WordListLevel[]>();
  const wanted = new Map<string, string>();
  for (const element of xml.root.children.filter(({ name }) => name === 'w:abstractNum')) {
    const id = xml.attribute(element, 'w:abstractNumId') ?? '';
    const levels = readLevels(xml, element, theme);
    const makes = xml.attribute(xml.child(element, 'w:styleLink'), 'w:val');
    const uses = xml.attribute(xml.child(element, 'w:numStyleLink'), 'w:val');
    lists.set(id, levels);
    if (makes !== undefined) byStyle.set(makes, levels);
    if (uses !== undefined && levels.length === 0) wanted.set(id, uses);
  }
  for (const [id, style] of wanted) lists.set(id, byStyle.get(style) ?? []);
  return lists;
}

function readLevels(xml: XmlDocument, parent: XmlElement, theme: Theme): WordListLevel[] {
  return parent.children
    .filter(({ name }) => name === 'w:lvl')
    .map((element) => readLevel(xml, element, theme));
}

function readLevel(xml: XmlDocument, element: XmlElement, theme: Theme): WordListLevel {
  const value = (name: string) => xml.attribute(xml.child(element, name), 'w:val');
  const paragraph = readParagraphProperties(xml, xml.child(element, 'w:pPr'));
  const level = wholeNumber(xml.attribute(element, 'w:ilvl'), 0);
  const restartsAfter = wholeNumber(value('w:lvlRestart'), level);
  const legal = xml.child(element, 'w:isLgl');
  return {
    level,
    format: readFormat(xml, element),
    text: value('w:lvlText') ?? '',
    start: wholeNumber(value('w:start'), 0),
    restarts: false,
    ...(restartsAfter >= 0 && restartsAfter < level && { restartsAfter }),
    ...(legal && isOn(xml.attributes(legal)) && { isLegal: true }),
    indentLeft: paragraph.indentLeft ?? null,
    indentFirst: paragraph.indentFirst ?? null,
    suffix: SUFFIXES.find((suffix) => suffix === value('w:suff')) ?? 'tab',
    run: readShownRun(xml, xml.child(element, 'w:rPr'), theme),
  };
}

/** Formats that newer programs write as the first numbers, beside one that others know (17.9.17). */
const CUSTOM_FORMATS: Readonly<Record<string, string>> = {
  '001, 002, 003, ...': 'decimalZero3',
  '0001, 0002, 0003, ...': 'decimalZero4',
  '00001, 00002, 00003, ...': 'decimalZero5',
};

function readFormat(xml: XmlDocument, level: XmlElement): string {
  const either = xml.child(level, 'mc:AlternateContent');
  const custom = xml.child(xml.child(either, 'mc:Choice'), 'w:numFmt');
  const known = CUSTOM_FORMATS[xml.attribute(custom, 'w:format') ?? ''];
  if (known !== undefined) return known;
  const plain = xml.child(level, 'w:numFmt') ?? xml.child(xml.child(either, 'mc:Fallback'), 'w:numFmt');
  return xml.attribute(plain, 'w:val') ?? 'decimal';
}

function withOverrides(
  xml: XmlDocument,
  element: XmlElement,
  base: readonly WordListLevel[],
  theme: Theme,
): WordListLevel[] {
  const levels = new Map(base.map((level) => [level.level, level]));
  for (const override of element.children.filter(({ name }) => name === 'w:lvlOverride')) {
    const number = wholeNumber(xml.attribute(override, 'w:ilvl'), 0);
    const [whole] = readLevels(xml, override, theme);
    const start = xml.attribute(xml.child(override, 'w:startOverride'), 'w:val');
    const level = whole ? withRestartOf(whole, levels.get(number)) : levels.get(number);
    if (level)
      levels.set(
        number,
        start === undefined ? level : { ...level, start: wholeNumber(start, level.start), restarts: true },
      );
  }
  return [...levels.values()];
}

/** An overriding level, which does not change when its numbers begin anew ([MS-OI29500] 2.1.277). */
function withRestartOf(
  { restartsAfter: _own, ...level }: WordListLevel,
  { restartsAfter }: Partial<WordListLevel> = {},
): WordListLevel {
  return restartsAfter === undefined ? level : { ...level, restartsAfter };
}

function wholeNumber(text: string | undefined, otherwise: number): number {
  const value = Number(text ?? Number.NaN);
  return Number.isSafeInteger(value) ? value : otherwise;
}

/** Numbering definitions that paragraphs of the model ask for and the file does not have yet. */
export class NewLists {
  readonly #xml: XmlDocument;
  readonly #numbers = new Map<string, number>();
  #abstract = '';
  #lists = '';
  #nextAbstract: number;
  #nextNumber: number;

  /** @param bytes the numbering part; undefined when the package has none */
  constructor(bytes: Uint8Array | undefined, vocabulary: WordVocabulary) {
    this.#xml = bytes
      ? XmlDocument.parse(bytes, WORD_PREFIXES)
      : new XmlDocument(
          `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<w:numbering xmlns:w="${vocabulary.word}"/>`,
        );
    this.#nextAbstract = this.#highest('w:abstractNum', 'w:abstractNumId') + 1;
    this.#nextNumber = this.#highest('w:num', 'w:numId') + 1;
  }

  /** The number of a list by its id in the model; a new list is defined on first use. */
  numberOf(listId: string): number | string {
    const [, kind, tag] = NEW_LIST.exec(listId) ?? [];
    if (kind === undefined || tag === undefined) return listId;
    const known = this.#numbers.get(listId);
    if (known !== undefined) return known;
    const number = this.#nextNumber++;
    const abstractId = this.#nextAbstract++;
    this.#abstract += abstractListXml(kind as ListKind, abstractId, listId);
    this.#lists += listXml(number, abstractId);
    this.#numbers.set(listId, number);
    return number;
  }

  /** The part's new bytes, or undefined when no list was added. */
  changedBytes(): Uint8Array | undefined {
    if (this.#numbers.size === 0) return undefined;
    return this.#xml.encode(this.#withLists());
  }

  /** All `w:abstractNum` stand before all `w:num`, and these before `w:numIdMacAtCleanup` (17.9.16). */
  #withLists(): string {
    const { text, root } = this.#xml;
    const firstList = root.children.find(({ name }) => name === 'w:num');
    const lastList = root.children.findLast(({ name }) => name === 'w:num');
    if (firstList && lastList) {
      const between = text.slice(firstList.start, lastList.end);
      return (
        text.slice(0, firstList.start) + this.#abstract + between + this.#lists + text.slice(lastList.end)
      );
    }
    const after = root.children.find(({ name }) => name === 'w:numIdMacAtCleanup');
    const added = this.#abstract + this.#lists;
    if (after) return text.slice(0, after.start) + added + text.slice(after.start);
    return this.#xml.edited({ appended: added });
  }

  #highest(element: string, attribute: string): number {
    let highest = 0;
    for (const child of this.#xml.root.children) {
      if (child.name !== element) continue;
      const id = Number(this.#xml.attribute(child, attribute) ?? 0);
      if (Number.isSafeInteger(id)) highest = Math.max(highest, id);
    }
    return highest;
  }
}

/** A `w:abstractNum` (17.9.1) with nine levels, each half an inch further in. */
function abstractListXml(kind: ListKind, abstractId: number, tag: string): string {
  let levels = '';
  for (let level = 0; level < NEW_LIST_LEVELS; level++) levels += levelXml(kind, level);
  const type = kind === 'outline' ? 'multilevel' : 'hybridMultilevel';
  return `<w:abstractNum w:abstractNumId="${abstractId}"><w:nsid w:val="${nsidOf(tag)}"/><w:multiLevelType w:val="${type}"/>${levels}</w:abstractNum>`;
}

/** A `w:num` (17.9.15). */
function listXml(numberId: number, abstractId: number): string {
  return `<w:num w:numId="${numberId}"><w:abstractNumId w:val="${abstractId}"/></w:num>`;
}

function levelXml(kind: ListKind, level: number): string {
  const { format, text, font, indentLeft, indentFirst } = newListLevel(kind, level);
  const fonts = font
    ? `<w:rPr><w:rFonts${attributesXml({ 'w:ascii': font, 'w:hAnsi': font, 'w:hint': 'default' })}/></w:rPr>`
    : '';
  const indent = `<w:pPr><w:ind w:left="${indentLeft}" w:hanging="${-indentFirst}"/></w:pPr>`;
  const label = `<w:numFmt w:val="${format}"/><w:lvlText${attributesXml({ 'w:val': text })}/>`;
  return `<w:lvl w:ilvl="${level}"><w:start w:val="1"/>${label}<w:lvlJc w:val="left"/>${indent}${fonts}</w:lvl>`;
}

/** Eight hexadecimal digits that differ between lists: Word takes lists of equal `nsid` for one (17.9.14). */
function nsidOf(tag: string): string {
  let value = 0x811c9dc5;
  for (const byte of Buffer.from(tag)) value = Math.imul(value ^ byte, 0x01000193) >>> 0;
  return value.toString(16).toUpperCase().padStart(8, '0');
}
