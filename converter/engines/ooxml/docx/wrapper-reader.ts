import type { Mark } from 'prosemirror-model';
import { accepts, isXmlText } from '../../../../model/word/attributes.ts';
import { wordSchema } from '../../../../model/word/schema.ts';
import * as values from '../../../../model/word/values.ts';
import type { XmlElement } from '../package/xml-scanner.ts';
import { holdsText, noteControl } from './controls/control-reader.ts';
import type { ReadContext } from './read-context.ts';
import type { Wrapper } from './source-map.ts';

const RANK: ReadonlyMap<string, number> = new Map([
  ['w:hyperlink', 0],
  ['w:sdt', 1],
  ['w:smartTag', 1],
  ['w:ins', 2],
  ['w:del', 3],
]);

export interface OpenedWrapper {
  readonly wrapper: Wrapper;
  readonly children: readonly XmlElement[];
}

/**
 * Opens an element around runs as a mark, if it can stand for one: it nests in the order of the schema's marks.
 * @param outer the wrappers that it is in, outermost first
 */
export function openWrapper(
  context: ReadContext,
  element: XmlElement,
  outer: readonly Wrapper[],
): OpenedWrapper | undefined {
  const rank = RANK.get(element.name);
  const outerMark = outer.at(-1)?.mark;
  if (rank === undefined || (outerMark && rankOf(outerMark) >= rank)) return undefined;
  const children = contentOf(context, element);
  const first = children?.[0];
  const last = children?.at(-1);
  if (!children || !first || !last) return undefined;
  const { text } = context.xml;
  const wrapper: Wrapper = {
    mark: markOf(context, element, context.map.wrappers.length),
    openXml: text.slice(element.start, first.start),
    closeXml: text.slice(last.end, element.end),
  };
  noteControl(context, element, String(context.map.wrappers.length));
  context.map.wrappers.push(wrapper);
  return { wrapper, children };
}

function rankOf(mark: Mark): number {
  return ['link', 'within', 'ins', 'del'].indexOf(mark.type.name);
}

function contentOf({ xml }: ReadContext, element: XmlElement): readonly XmlElement[] | undefined {
  if (element.name === 'w:smartTag') return element.children.filter(({ name }) => name !== 'w:smartTagPr');
  if (element.name !== 'w:sdt') return element.children;
  if (!holdsText(xml, element)) return undefined;
  return xml.child(element, 'w:sdtContent')?.children;
}

function markOf({ xml, relationships }: ReadContext, element: XmlElement, key: number): Mark {
  const attributes = xml.attributes(element);
  const { marks } = wordSchema;
  switch (element.name) {
    case 'w:hyperlink': {
      const target = relationships.get(attributes['r:id'] ?? '')?.target ?? '';
      return marks.link.create({
        key,
        href: target !== '' && target.length <= 8_192 && isXmlText(target) ? target : null,
        anchor: nameOrNull(attributes['w:anchor']),
        tooltip: nameOrNull(attributes['w:tooltip']),
      });
    }
    case 'w:ins':
    case 'w:del': {
      const { 'w:id': id, 'w:author': author, 'w:date': date } = attributes;
      return marks[element.name === 'w:ins' ? 'ins' : 'del'].create({
        key,
        id: accepts(values.decimalId, id) ? id : null,
        author: nameOrNull(author) ?? '',
        date: accepts(values.dateTime, date) ? date : null,
      });
    }
    default:
      return marks.within.create({ key });
  }
}

function nameOrNull(value: string | undefined): string | null {
  return accepts(values.name, value) ? value! : null;
}
