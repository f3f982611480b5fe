import { XmlDocument } from '../package/xml-document.ts';
import { PartEdits } from './part-edits.ts';
import { isOn, numberOf } from './styles/format-xml.ts';
import { ARRAYS_2017 } from './vocabulary.ts';

/**
 * The numbers of cell metadata (`cm`, from 1) that say that a formula spills (18.9, and `XLDAPR` of [MS-XLSX] 2.3.9).
 */
export function dynamicMetadata(xml: XmlDocument | undefined): ReadonlySet<number> {
  const numbers = new Set<number>();
  if (!xml) return numbers;
  const children = (name: string) => xml.child(xml.root, name)?.children ?? [];
  const types = children('metadataTypes').map((type) => xml.attribute(type, 'name'));
  const blocks = new Map<string, boolean[]>();
  for (const list of xml.root.children.filter(({ name }) => name === 'futureMetadata')) {
    const isDynamic = list.children.map((block) => {
      const properties = [...elementsIn(xml, block)];
      return properties.some((attributes) => attributes.fDynamic !== undefined && isOn(attributes.fDynamic));
    });
    blocks.set(xml.attribute(list, 'name') ?? '', isDynamic);
  }
  for (const [index, block] of children('cellMetadata').entries()) {
    for (const record of block.children) {
      const { t, v } = xml.attributes(record);
      const type = types[(numberOf(t) ?? 0) - 1];
      if (type !== undefined && blocks.get(type)?.[numberOf(v) ?? -1]) numbers.add(index + 1);
    }
  }
  return numbers;
}

function* elementsIn(
  xml: XmlDocument,
  element: XmlDocument['root'],
): Generator<Readonly<Record<string, string>>> {
  for (const child of element.children) {
    yield xml.attributes(child);
    yield* elementsIn(xml, child);
  }
}

const NAME = 'XLDAPR';

/** The metadata of formulas that spill, which is made when there is none. */
export class DynamicMetadata {
  readonly #xml: XmlDocument | undefined;
  readonly #present: number | undefined;
  #isNeeded = false;

  constructor(xml: XmlDocument | undefined, dynamic: ReadonlySet<number>) {
    this.#xml = xml;
    [this.#present] = dynamic;
  }

  /** What such a cell has as its `cm`. */
  number(): number {
    if (this.#present !== undefined) return this.#present;
    this.#isNeeded = true;
    const { root } = this.#xml ?? {};
    return ((root && this.#xml!.child(root, 'cellMetadata')?.children.length) ?? 0) + 1;
  }

  /** The part with that metadata; undefined when it is not needed or there. */
  changedBytes(main: string): Uint8Array | undefined {
    if (!this.#isNeeded) return undefined;
    const xml =
      this.#xml ??
      new XmlDocument(
        `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<metadata xmlns="${main}"></metadata>`,
      );
    const edits = new PartEdits(xml, ORDER);
    const types = xml.child(xml.root, 'metadataTypes')?.children.length ?? 0;
    const type = `<metadataType name="${NAME}" minSupportedVersion="120000" copy="1" pasteAll="1" pasteValues="1" merge="1" splitFirst="1" rowColShift="1" clearFormats="1" clearComments="1" assign="1" coerce="1" cellMeta="1"/>`;
    const block = `<bk><extLst><ext uri="{bdbb8cdc-fa1e-496e-a857-3c3f30c029c3}"><xda:dynamicArrayProperties xmlns:xda="${ARRAYS_2017}" fDynamic="1" fCollapsed="0"/></ext></extLst></bk>`;
    edits.append('metadataTypes', [type], true);
    edits.insert('futureMetadata', `<futureMetadata name="${NAME}" count="1">${block}</futureMetadata>`);
    edits.append('cellMetadata', [`<bk><rc t="${types + 1}" v="0"/></bk>`], true);
    return xml.encode(edits.text());
  }
}

const ORDER = [
  'metadataTypes',
  'metadataStrings',
  'mdxMetadata',
  'futureMetadata',
  'cellMetadata',
  'valueMetadata',
  'extLst',
];
