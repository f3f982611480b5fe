import { relativeTarget, resolveTarget } from '../../package/relationships.ts';
import { XmlDocument } from '../../package/xml-document.ts';
import { attributesXml } from '../../package/xml-text.ts';
import type { PackageChanges } from '../package-changes.ts';
import { THREADS_2018 } from '../vocabulary.ts';
import type { XlsxSource } from '../xlsx-source.ts';
import { PERSON } from './comment-items.ts';
import { guidOf } from './guid.ts';

const TYPE = 'application/vnd.ms-excel.person+xml';

/** The workbook's list of people who have written comments with answers. */
export class PersonList {
  readonly #ids = new Map<string, string>();
  readonly #added: string[] = [];

  constructor(persons: ReadonlyMap<string, string>) {
    for (const [id, name] of persons) if (!this.#ids.has(name)) this.#ids.set(name, id);
  }

  idOf(name: string): string {
    const known = this.#ids.get(name);
    if (known !== undefined) return known;
    const id = guidOf(`person ${name}`);
    this.#ids.set(name, id);
    this.#added.push(name);
    return id;
  }

  write({ package: opened, relationships }: XlsxSource, changes: PackageChanges): void {
    if (this.#added.length === 0) return;
    const found = relationships.all.find(({ type, external }) => type === PERSON && !external);
    const present = found && resolveTarget(opened.mainPart, found.target);
    const known = opened.readableXml(present);
    const prefix = known ? 'tc:' : '';
    const elements = this.#added.map((name) => {
      const attributes = { displayName: name, id: this.#ids.get(name), userId: name, providerId: 'None' };
      return `<${prefix}person${attributesXml(attributes)}/>`;
    });
    const appended = elements.join('');
    if (known && present !== undefined) {
      changes.put(present, known.encode(known.edited({ appended })));
      return;
    }
    const xml = new XmlDocument(
      `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<personList xmlns="${THREADS_2018}"></personList>`,
    );
    const pattern = `${opened.mainPart.slice(0, opened.mainPart.lastIndexOf('/') + 1)}persons/person#.xml`;
    const partName = changes.add(pattern, TYPE, xml.encode(xml.edited({ appended })));
    const links = changes.relationshipsOf(opened.mainPart, relationships);
    links.require(PERSON, relativeTarget(opened.mainPart, partName), false);
  }
}
