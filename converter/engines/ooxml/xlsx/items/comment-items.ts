import { areaOfReference } from '../../../../../model/cell/area.ts';
import type { ItemOf } from '../../../../../model/cell/items.ts';
import { textOfValue } from '../../../../../model/cell/values.ts';
import { isRelationshipType } from '../../package/namespaces.ts';
import type { OfficePackage } from '../../package/office-package.ts';
import { type Relationships, resolveTarget } from '../../package/relationships.ts';
import type { XmlDocument } from '../../package/xml-document.ts';
import type { XmlElement } from '../../package/xml-scanner.ts';
import { readText } from '../cells/shared-strings.ts';
import { isOn, withoutNothing } from '../styles/format-xml.ts';

type Comment = ItemOf<'comment'>;

export const THREADED_COMMENT = 'http://schemas.microsoft.com/office/2017/10/relationships/threadedComment';
export const PERSON = 'http://schemas.microsoft.com/office/2017/10/relationships/person';

/** A part with comments, which a sheet has a relationship to. */
export interface CommentPart {
  readonly partName: string;
  readonly xml: XmlDocument;
}

/** The comments of a sheet: notes of old, and threads with answers. A thread has a note beside it, for older programs. */
export interface ReadComments {
  readonly items: ReadonlyMap<string, Comment>;
  readonly notes: CommentPart | undefined;
  readonly threads: CommentPart | undefined;
  /** Elements of notes, and of what threads are made of. */
  readonly elements: ReadonlyMap<string, XmlElement>;
  /** The notes that stand beside threads, by the ids of these. */
  readonly shadows: ReadonlyMap<string, XmlElement>;
}

/** Names of people by their ids, from the workbook's list of persons. */
export function readPersons(opened: OfficePackage, relationships: Relationships): Map<string, string> {
  const persons = new Map<string, string>();
  for (const { type, target, external } of relationships.all) {
    if (external || type !== PERSON) continue;
    const xml = opened.readableXml(resolveTarget(opened.mainPart, target));
    for (const element of xml?.root.children ?? []) {
      const { id, displayName = '' } = xml!.attributes(element);
      if (id !== undefined) persons.set(id, displayName);
    }
  }
  return persons;
}

export function readComments(
  opened: OfficePackage,
  sheetPart: string,
  relationships: Relationships,
  persons: ReadonlyMap<string, string>,
): ReadComments {
  const part = (isWanted: (type: string) => boolean): CommentPart | undefined => {
    const found = relationships.all.find(({ type, external }) => !external && isWanted(type));
    const partName = found && resolveTarget(sheetPart, found.target);
    const xml = opened.readableXml(partName);
    return xml && partName !== undefined ? { partName, xml } : undefined;
  };
  const notes = part((type) => isRelationshipType(type, 'comments'));
  const threads = part((type) => type === THREADED_COMMENT);
  const items = new Map<string, Comment>();
  const elements = new Map<string, XmlElement>();
  const shadows = new Map<string, XmlElement>();
  if (threads) readThreads(threads.xml, persons, items, elements);
  if (notes) readNotes(notes.xml, items, elements, shadows);
  return { items, notes, threads, elements, shadows };
}

function readThreads(
  xml: XmlDocument,
  persons: ReadonlyMap<string, string>,
  items: Map<string, Comment>,
  elements: Map<string, XmlElement>,
): void {
  for (const element of xml.root.children) {
    const { ref = '', dT, personId = '', id, parentId, done } = xml.attributes(element);
    const area = areaOfReference(ref);
    if (element.name !== 'tc:threadedComment' || !area || id === undefined || items.has(id)) continue;
    const text = xml.child(element, 'tc:text');
    items.set(
      id,
      withoutNothing({
        cell: [area[0], area[1]],
        author: persons.get(personId) ?? '',
        date: dT === undefined ? null : /[zZ]$/.test(dT) ? dT : `${dT}Z`,
        text: text ? xml.content(text).slice(0, 32_767) : '',
        parent: parentId,
        done: (done !== undefined && isOn(done)) || undefined,
      }) as Comment,
    );
    elements.set(id, element);
  }
}

function readNotes(
  xml: XmlDocument,
  items: Map<string, Comment>,
  elements: Map<string, XmlElement>,
  shadows: Map<string, XmlElement>,
): void {
  const authors = (xml.child(xml.root, 'authors')?.children ?? []).map((author) => xml.content(author));
  for (const [index, element] of (xml.child(xml.root, 'commentList')?.children ?? []).entries()) {
    const { ref = '', authorId } = xml.attributes(element);
    const area = areaOfReference(ref);
    if (!area) continue;
    const author = authors[Number(authorId)] ?? '';
    const thread = /^tc=(.*)$/.exec(author)?.[1];
    if (thread !== undefined && items.has(thread)) {
      shadows.set(thread, element);
      continue;
    }
    const id = `o${index + 1}`;
    const text = xml.child(element, 'text');
    items.set(id, {
      cell: [area[0], area[1]],
      author,
      date: null,
      text: text ? textOfValue(readText(xml, text)).slice(0, 32_767) : '',
      isNote: true,
    });
    elements.set(id, element);
  }
}
