import type { Attrs, Node } from 'prosemirror-model';
import { XmlDocument } from '../package/xml-document.ts';
import type { XmlElement } from '../package/xml-scanner.ts';
import { attributesXml, withAttributes } from '../package/xml-text.ts';
import {
  MARK_REVISIONS,
  PARAGRAPH_ATTRIBUTES,
  type ParagraphAttribute,
  readParagraphProperties,
} from './paragraph-properties.ts';
import { inOrder, PARAGRAPH_ORDER, type PropertyXml } from './property-order.ts';
import { shadingXml } from './simple-types.ts';
import type { ParagraphRecord } from './source-map.ts';
import { type Decision, settledXml } from './tracked-xml.ts';
import { revisionAttributes } from './wrapper-writer.ts';
import type { WriteContext } from './write-context.ts';

/** A child of `w:pPr` and the attributes of the model that it says. */
interface PropertyGroup {
  readonly element: string;
  readonly attributes: readonly ParagraphAttribute[];
  /** The element's XML with these values, '' for none. `raw` is the element as the file has it. */
  write(values: Attrs, changed: ReadonlySet<string>, raw: string | undefined, context: WriteContext): string;
}

function valued(element: string, attribute: ParagraphAttribute): PropertyGroup {
  return {
    element,
    attributes: [attribute],
    write: (values) => {
      const value = values[attribute];
      return value === null ? '' : `<${element}${attributesXml({ 'w:val': value })}/>`;
    },
  };
}

function toggle(element: string, attribute: ParagraphAttribute): PropertyGroup {
  return {
    element,
    attributes: [attribute],
    write: (values) => {
      const on = values[attribute];
      if (on === null) return '';
      return on ? `<${element}/>` : `<${element} w:val="0"/>`;
    },
  };
}

const list: PropertyGroup = {
  element: 'w:numPr',
  attributes: ['listId', 'listLevel'],
  write: ({ listId, listLevel }, _changed, _raw, { additions }) => {
    const level = listLevel === null && listId === null ? '' : `<w:ilvl w:val="${listLevel ?? 0}"/>`;
    const number = listId === null ? '' : `<w:numId w:val="${additions.listNumber(listId)}"/>`;
    return level + number === '' ? '' : `<w:numPr>${level}${number}</w:numPr>`;
  },
};

const spacing: PropertyGroup = {
  element: 'w:spacing',
  attributes: ['spaceBefore', 'spaceAfter', 'line', 'lineRule'],
  write: (values, changed, raw = '<w:spacing/>') => {
    const changes: Record<string, string | number | null> = {};
    if (changed.has('spaceBefore')) {
      Object.assign(changes, {
        'w:before': values.spaceBefore,
        'w:beforeLines': null,
        'w:beforeAutospacing': null,
      });
    }
    if (changed.has('spaceAfter')) {
      Object.assign(changes, {
        'w:after': values.spaceAfter,
        'w:afterLines': null,
        'w:afterAutospacing': null,
      });
    }
    if (changed.has('line')) changes['w:line'] = values.line;
    if (changed.has('lineRule')) changes['w:lineRule'] = values.lineRule;
    return unlessBare(withAttributes(raw, changes));
  },
};

/** Character-based indents override those in twips, so a changed indent drops them (17.3.1.12). */
const indents: PropertyGroup = {
  element: 'w:ind',
  attributes: ['indentLeft', 'indentRight', 'indentFirst'],
  write: (values, changed, raw = '<w:ind/>', { source }) => {
    const logical = source.vocabulary.strict || /\sw:(?:start|end)\s*=/.test(raw);
    const changes: Record<string, string | number | null> = {};
    const side = (attribute: string, physicalName: string, logicalName: string) => {
      if (!changed.has(attribute)) return;
      for (const name of [physicalName, logicalName]) {
        changes[`w:${name}`] = name === (logical ? logicalName : physicalName) ? values[attribute] : null;
        changes[`w:${name}Chars`] = null;
      }
    };
    side('indentLeft', 'left', 'start');
    side('indentRight', 'right', 'end');
    if (changed.has('indentFirst')) {
      const first: number | null = values.indentFirst;
      changes['w:firstLine'] = first !== null && first >= 0 ? first : null;
      changes['w:hanging'] = first !== null && first < 0 ? -first : null;
      changes['w:firstLineChars'] = changes['w:hangingChars'] = null;
    }
    return unlessBare(withAttributes(raw, changes));
  },
};

const shading: PropertyGroup = {
  element: 'w:shd',
  attributes: ['shading'],
  write: (values) => shadingXml(values.shading),
};

const GROUPS: readonly PropertyGroup[] = [
  valued('w:pStyle', 'style'),
  toggle('w:keepNext', 'keepNext'),
  toggle('w:keepLines', 'keepLines'),
  toggle('w:pageBreakBefore', 'pageBreakBefore'),
  list,
  shading,
  toggle('w:bidi', 'rtl'),
  spacing,
  indents,
  valued('w:jc', 'align'),
];

interface ParagraphPropertySource {
  /** The paragraph of the file whose properties these are, or are taken from. */
  readonly base: ParagraphRecord | undefined;
  /** Whether the paragraph is that one, and not a new one made from it. */
  readonly isBase: boolean;
  /** Whether the paragraph ends the section that the base ended. */
  readonly endsSection: boolean;
}

/** The properties in the file that those of a paragraph are made from. Their tracked changes are settled if so decided. */
interface BaseProperties {
  readonly xml: XmlDocument;
  readonly properties: XmlElement | undefined;
  /** What they say of the attributes of the model. */
  readonly attrs: Attrs;
}

function settledBase(
  { source: { xml } }: WriteContext,
  base: ParagraphRecord | undefined,
  decision: Decision | null,
): BaseProperties {
  if (!base?.properties || !decision)
    return { xml, properties: base?.properties, attrs: base?.node.attrs ?? {} };
  const text = settledXml(xml.raw(base.properties), decision, true);
  if (text === '') return { xml, properties: undefined, attrs: {} };
  const settled = new XmlDocument(text);
  const { markInserted, markDeleted } = base.node.attrs;
  const attrs = { ...readParagraphProperties(settled, settled.root), markInserted, markDeleted };
  return { xml: settled, properties: settled.root, attrs };
}

/** The `w:pPr` of a paragraph, or ''. What the model does not hold stays as the base has it. */
export function writeParagraphProperties(
  context: WriteContext,
  paragraph: Node,
  from: ParagraphPropertySource,
): string {
  const base = settledBase(context, from.base, paragraph.attrs.settled);
  const { xml, properties, attrs: original } = base;
  const changed = new Set<string>(
    PARAGRAPH_ATTRIBUTES.filter((name) => paragraph.attrs[name] !== (original[name] ?? null)),
  );
  const kept = (properties?.children ?? []).filter(({ name }) => {
    if (name === 'w:sectPr') return from.endsSection;
    return name !== 'w:pPrChange' || from.isBase;
  });
  const mark = kept.find(({ name }) => name === 'w:rPr');
  const markXml = writeMarkProperties(context, paragraph, base, from.isBase);
  const sameMark = markXml === (mark ? xml.raw(mark) : '');
  if (changed.size === 0 && sameMark && kept.length === (properties?.children.length ?? 0)) {
    return properties ? xml.raw(properties) : '';
  }
  const groups = GROUPS.filter(({ attributes }) => attributes.some((name) => changed.has(name)));
  const rewritten = new Set(groups.map(({ element }) => element));
  const parts: PropertyXml[] = kept
    .filter((element) => element !== mark && !rewritten.has(element.name))
    .map((element) => ({ name: element.name, xml: xml.raw(element) }));
  parts.push({ name: 'w:rPr', xml: markXml });
  for (const group of groups) {
    const element = kept.find(({ name }) => name === group.element);
    const raw = element && xml.raw(element);
    parts.push({ name: group.element, xml: group.write(paragraph.attrs, changed, raw, context) });
  }
  const content = inOrder(parts, PARAGRAPH_ORDER);
  return content === '' ? '' : `<w:pPr>${content}</w:pPr>`;
}

function unlessBare(xml: string): string {
  return /^<w:\w+\s*\/>$/.test(xml) ? '' : xml;
}

/** Further revisions of a mark, which only the paragraph of the file itself keeps: each has an id of its own. */
const OTHER_REVISIONS = new Set(['w:moveFrom', 'w:moveTo', 'w:rPrChange']);

/**
 * The `w:rPr` in the properties of a paragraph, or ''.
 * @param base properties of the paragraph of the file from which the rest of these is taken
 * @param isBase whether the paragraph is that one
 */
function writeMarkProperties(
  context: WriteContext,
  paragraph: Node,
  { xml, properties, attrs }: BaseProperties,
  isBase: boolean,
): string {
  const mark = xml.child(properties, 'w:rPr');
  const children = mark?.children ?? [];
  let revisions = '';
  let isSame = isBase || !children.some(({ name }) => OTHER_REVISIONS.has(name));
  for (const { element: name, attribute } of MARK_REVISIONS) {
    const element = xml.child(mark, name);
    const wanted: Attrs | null = paragraph.attrs[attribute];
    const original: Attrs | null = attrs[attribute] ?? null;
    const keeps = sameRevision(wanted, original) && (isBase || !element);
    isSame &&= keeps;
    if (keeps) revisions += element ? xml.raw(element) : '';
    else if (wanted) revisions += `<${name}${revisionAttributes(context, wanted)}/>`;
  }
  if (isSame) return mark ? xml.raw(mark) : '';
  const others = children.filter(
    ({ name }) => name !== 'w:ins' && name !== 'w:del' && (isBase || !OTHER_REVISIONS.has(name)),
  );
  const content = revisions + others.map((element) => xml.raw(element)).join('');
  return content === '' ? '' : `<w:rPr>${content}</w:rPr>`;
}

function sameRevision(one: Attrs | null, other: Attrs | null): boolean {
  return (
    one === other ||
    (one?.author === other?.author && one?.date === other?.date && one !== null && other !== null)
  );
}
