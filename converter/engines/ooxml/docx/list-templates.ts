import { type ListKind, NEW_LIST_LEVELS, newListLevel } from '../../../../model/word/new-lists.ts';
import { attributesXml } from '../package/xml-text.ts';

export type { ListKind };

/** A `w:abstractNum` (17.9.1) with nine levels, each half an inch further in. */
export function abstractListXml(kind: ListKind, abstractId: number, tag: string): string {
  let levels = '';
  for (let level = 0; level < NEW_LIST_LEVELS; level++) levels += levelXml(kind, level);
  const type = kind === 'outline' ? 'multilevel' : 'hybridMultilevel';
  return `<w:abstractNum w:abstractNumId="${abstractId}"><w:nsid w:val="${hash(tag)}"/><w:multiLevelType w:val="${type}"/>${levels}</w:abstractNum>`;
}

/** A `w:num` (17.9.15). */
export function listXml(numberId: number, abstractId: number): string {
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
function hash(tag: string): string {
  let value = 0x811c9dc5;
  for (const byte of Buffer.from(tag)) value = Math.imul(value ^ byte, 0x01000193) >>> 0;
  return value.toString(16).toUpperCase().padStart(8, '0');
}
