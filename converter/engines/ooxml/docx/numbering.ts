import type { WordList, WordListLevel } from '../../../../model/word/document.ts';
import type { XmlDocument } from '../package/xml-document.ts';
import type { XmlElement } from '../package/xml-scanner.ts';
import type { ModelBudget } from './model-budget.ts';
import { readParagraphProperties } from './paragraph-properties.ts';
import { readShownRun } from './shown-run.ts';
import type { Theme } from './theme.ts';

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
  return {
    level: wholeNumber(xml.attribute(element, 'w:ilvl'), 0),
    format: value('w:numFmt') ?? 'decimal',
    text: value('w:lvlText') ?? '',
    start: wholeNumber(value('w:start'), 0),
    restarts: false,
    indentLeft: paragraph.indentLeft ?? null,
    indentFirst: paragraph.indentFirst ?? null,
    suffix: SUFFIXES.find((suffix) => suffix === value('w:suff')) ?? 'tab',
    run: readShownRun(xml, xml.child(element, 'w:rPr'), theme),
  };
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
    const level = whole ?? levels.get(number);
    if (level)
      levels.set(
        number,
        start === undefined ? level : { ...level, start: wholeNumber(start, level.start), restarts: true },
      );
  }
  return [...levels.values()];
}

function wholeNumber(text: string | undefined, otherwise: number): number {
  const value = Number(text ?? Number.NaN);
  return Number.isSafeInteger(value) ? value : otherwise;
}
