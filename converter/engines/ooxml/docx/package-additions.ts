import type { MediaReader } from '../../kind-engine.ts';
import { ContentTypes } from '../package/content-types.ts';
import { isRelationshipType } from '../package/namespaces.ts';
import { pictureType } from '../package/pictures.ts';
import { relationshipsPartOf, relativeTarget, resolveTarget } from '../package/relationships.ts';
import type { DocxSource } from './docx-source.ts';
import { NewLists } from './numbering.ts';

/** A part to which the document has one relationship. */
interface RelatedPart {
  /** The part as the package has it; undefined for one that it lacks. */
  readonly partName: string | undefined;
  /** Name of the part beside the document where the package has none. */
  readonly fileName: string;
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly relationshipType: string;
}

const NUMBERING_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.numbering+xml';

/** Parts, relationships and content types that the written document needs and the package lacks. */
export class PackageAdditions {
  /** Paths of pictures whose bytes nobody gave, or that are no pictures that Word shows. */
  readonly missing = new Set<string>();
  readonly #source: DocxSource;
  readonly #media: MediaReader;
  readonly #parts = new Map<string, Uint8Array>();
  readonly #pictureParts = new Map<string, string>();
  #lists: NewLists | undefined;

  constructor(source: DocxSource, media: MediaReader) {
    this.#source = source;
    this.#media = media;
  }

  /** The relationship id of a hyperlink to the outside. */
  hyperlink(href: string): string {
    return this.#require('hyperlink', href, true);
  }

  /** The relationship id of a picture by its path in the model, or undefined when its bytes are missing. */
  picture(path: string): string | undefined {
    const part = this.#source.media.partOf(path) ?? this.#newPicture(path);
    if (part === undefined) return undefined;
    const { relationships, package: opened } = this.#source;
    const present = relationships.all.find(
      ({ type, target, external }) =>
        !external && isRelationshipType(type, 'image') && resolveTarget(opened.mainPart, target) === part,
    );
    return present?.id ?? this.#require('image', relativeTarget(opened.mainPart, part), false);
  }

  listNumber(listId: string): number | string {
    this.#lists ??= new NewLists(this.#numberingPart().bytes, this.#source.vocabulary);
    return this.#lists.numberOf(listId);
  }

  replacePart(partName: string, bytes: Uint8Array): void {
    this.#parts.set(partName, bytes);
  }

  /** Replaces a part of the package, or makes it with its type and relationship. */
  putPart({ partName, fileName, bytes, contentType, relationshipType }: RelatedPart): void {
    const { package: opened, relationships } = this.#source;
    const name = partName ?? this.#freePartName(fileName);
    this.#parts.set(name, bytes);
    if (!opened.archive.find(name)) opened.contentTypes.require(name, contentType);
    if (partName === undefined) {
      relationships.require(relationshipType, relativeTarget(opened.mainPart, name), false);
    }
  }

  /** New bytes by part name. */
  changes(): Map<string, Uint8Array> {
    const { package: opened, relationships } = this.#source;
    const lists = this.#lists?.changedBytes();
    if (lists) {
      const { partName } = this.#numberingPart();
      this.#parts.set(partName, lists);
      if (!opened.archive.find(partName)) {
        opened.contentTypes.require(partName, NUMBERING_TYPE);
        this.#require('numbering', relativeTarget(opened.mainPart, partName), false);
      }
    }
    const changes = new Map(this.#parts);
    const types = opened.contentTypes.changedBytes();
    if (types) changes.set(ContentTypes.partName, types);
    const links = relationships.changedBytes();
    if (links) changes.set(relationshipsPartOf(opened.mainPart), links);
    return changes;
  }

  #freePartName(fileName: string): string {
    const { mainPart, archive } = this.#source.package;
    const folder = mainPart.slice(0, mainPart.lastIndexOf('/') + 1);
    let name = folder + fileName;
    for (let number = 2; archive.find(name); number++) name = folder + fileName.replace('.', `${number}.`);
    return name;
  }

  #require(localType: string, target: string, external: boolean): string {
    const { relationships, vocabulary } = this.#source;
    return relationships.require(`${vocabulary.relationships}/${localType}`, target, external);
  }

  #newPicture(path: string): string | undefined {
    const known = this.#pictureParts.get(path);
    if (known !== undefined) return known;
    const bytes = this.#media(path);
    const type = bytes && pictureType(bytes);
    if (!bytes || !type) {
      this.missing.add(path);
      return undefined;
    }
    const part = this.#source.media.newPartName(path.slice('media/'.length));
    this.#parts.set(part, bytes);
    this.#pictureParts.set(path, part);
    this.#source.package.contentTypes.require(part, type);
    return part;
  }

  #numberingPart(): { partName: string; bytes: Uint8Array | undefined } {
    const { package: opened, relationships } = this.#source;
    const present = relationships.all.find(({ type }) => isRelationshipType(type, 'numbering'));
    const partName = resolveTarget(opened.mainPart, present?.target ?? 'numbering.xml');
    return { partName, bytes: opened.read(partName) };
  }
}
