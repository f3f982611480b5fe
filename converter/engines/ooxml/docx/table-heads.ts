import type { Node } from 'prosemirror-model';
import type { XmlDocument } from '../package/xml-document.ts';
import type { XmlElement } from '../package/xml-scanner.ts';
import type { RowRecord, TableRecord } from './source-map.ts';
import { type Decision, settledXml } from './tracked-xml.ts';

/** A table of the file up to its first row, with these properties and this grid; the rest is as it lies there. */
export function tableHead(
  xml: XmlDocument,
  { element, properties, grid, contentStart }: TableRecord,
  propertiesXml: string,
  gridXml: string,
): string {
  return headWith(xml, element, contentStart, [
    { element: properties, place: element.openEnd, replacement: propertiesXml },
    { element: grid, place: contentStart, replacement: gridXml },
  ]);
}

/** The grid of a table of the file, with its tracked change settled if so decided. */
export function gridOf(xml: XmlDocument, grid: XmlElement, { attrs }: Node): string {
  return attrs.settled ? settledXml(xml.raw(grid), attrs.settled) : xml.raw(grid);
}

/** A row of the file up to its first cell, with these properties. */
export function rowHead(
  xml: XmlDocument,
  row: RowRecord,
  propertiesXml: string,
  decision: Decision | null,
): string {
  const { element, properties, contentStart } = row;
  const place = xml.child(element, 'w:tblPrEx')?.end ?? element.openEnd;
  const exceptions = xml.child(element, 'w:tblPrEx');
  const settled = decision && exceptions;
  return headWith(xml, element, contentStart, [
    ...(settled
      ? [{ element: exceptions, place, replacement: settledXml(xml.raw(exceptions), decision) }]
      : []),
    { element: properties, place, replacement: propertiesXml },
  ]);
}

interface Replacement {
  readonly element: XmlElement | undefined;
  /** Where the replacement goes when the head does not have the element. */
  readonly place: number;
  readonly replacement: string;
}

function headWith(
  xml: XmlDocument,
  { start }: XmlElement,
  end: number,
  replacements: readonly Replacement[],
): string {
  const edits = replacements.flatMap(({ element, place, replacement }) => {
    if (element && element.end <= end) return [{ from: element.start, to: element.end, replacement }];
    // A damaged file may have it further down, where it does its work as well.
    if (element && xml.raw(element) === replacement) return [];
    const at = Math.min(place, end);
    return [{ from: at, to: at, replacement }];
  });
  let head = '';
  let copied = start;
  for (const { from, to, replacement } of edits.toSorted((a, b) => a.from - b.from)) {
    head += xml.text.slice(copied, from) + replacement;
    copied = to;
  }
  return head + xml.text.slice(copied, end);
}
