import { isRelationshipType } from './namespaces.ts';
import { type OfficePackage, unlessDamaged } from './office-package.ts';
import { comparedName, plainName } from './part-names.ts';
import { type Relationships, resolveTarget } from './relationships.ts';

/** Picture formats that Word shows, by how their files begin. */
const SIGNATURES: readonly (readonly [RegExp, string])[] = [
  [/^\x89PNG\r\n\x1a\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^BM/, 'image/bmp'],
  [/^(?:II\*\0|MM\0\*)/, 'image/tiff'],
];

/** The content type of a picture, or undefined when it is none that Word shows. */
export function pictureType(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 8)).toString('latin1');
  return SIGNATURES.find(([pattern]) => pattern.test(start))?.[1];
}

/** Metafiles of Windows, which no browser shows and our pages draw. */
const METAFILES: Readonly<Record<string, string>> = {
  'image/x-emf': 'emf',
  'image/emf': 'emf',
  'image/x-wmf': 'wmf',
  'image/wmf': 'wmf',
};

/** Content types that pages show, and the extension under which such a picture is served. */
const SHOWN: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/x-png': 'png',
  'image/jpeg': 'jpeg',
  'image/jpg': 'jpeg',
  'image/pjpeg': 'jpeg',
  'image/gif': 'gif',
  'image/bmp': 'bmp',
  'image/x-bmp': 'bmp',
  'image/x-ms-bmp': 'bmp',
  'image/webp': 'webp',
  'image/svg+xml': 'svg',
  ...METAFILES,
};
const SHOWN_EXTENSION = /\.(?:png|jpe?g|gif|bmp|webp|svg|emf|wmf)$/i;

/** Whether a picture is a metafile of Windows, by its path in the model: what is drawn from another picture is drawn better. */
export const isMetafile = (path: string): boolean => /\.(?:emf|wmf)$/i.test(path);

/** A part that may have pictures. */
interface PicturePart {
  readonly partName: string;
  readonly relationships: Relationships;
}

/** Finds pictures by what the relationships of one part say. */
export interface PictureFinder {
  /** The path of the picture that an internal relationship target means, wherever in the package it lies. */
  pathOfTarget(target: string): string | undefined;
  /** The same, for pictures that pages show: no TIFF. */
  shownPathOfTarget(target: string): string | undefined;
}

/** The pictures of a package under the paths that the model uses: `media/` and a plain, unique file name. */
export class MediaCatalog implements PictureFinder {
  readonly #partByPath = new Map<string, string>();
  readonly #pathByPart = new Map<string, string>();
  readonly #package: OfficePackage;

  /** @param shown parts beside the main one whose pictures are shown as well */
  constructor(opened: OfficePackage, relationships: Relationships, shown: readonly PicturePart[]) {
    this.#package = opened;
    const main = { partName: opened.mainPart, relationships };
    for (const part of [main, ...shown]) {
      for (const { type, target, external } of part.relationships.all) {
        const isPicture = !external && isRelationshipType(type, 'image');
        const entry = isPicture ? opened.archive.find(resolveTarget(part.partName, target)) : undefined;
        if (entry) this.#add(entry.name);
      }
    }
    const folder = comparedName(this.newPartName(''));
    for (const { name } of opened.archive.entries) {
      if (comparedName(name).startsWith(folder) && !/[/\\]$/.test(name)) this.#add(name);
    }
  }

  get paths(): string[] {
    return [...this.#partByPath.keys()];
  }

  partOf(path: string): string | undefined {
    return this.#partByPath.get(path);
  }

  pathOfTarget(target: string): string | undefined {
    return this.#find(this.#package.mainPart, target);
  }

  shownPathOfTarget(target: string): string | undefined {
    return this.#onlyShown(this.pathOfTarget(target));
  }

  /** Bytes of the pictures that can be read, by their paths. */
  read(): Map<string, Uint8Array> {
    const pictures = new Map<string, Uint8Array>();
    for (const [path, partName] of this.#partByPath) {
      const content = unlessDamaged(() => this.#package.read(partName));
      // A copy: a view would carry the whole package along when it is sent to another thread.
      if (content) pictures.set(path, new Uint8Array(content));
    }
    return pictures;
  }

  /** The pictures as another part names them. */
  seenFrom(partName: string): PictureFinder {
    return {
      pathOfTarget: (target) => this.#find(partName, target),
      shownPathOfTarget: (target) => this.#onlyShown(this.#find(partName, target)),
    };
  }

  /** The part that a new picture of this file name becomes. */
  newPartName(fileName: string): string {
    const { mainPart } = this.#package;
    return `${mainPart.slice(0, mainPart.lastIndexOf('/') + 1)}media/${fileName}`;
  }

  #find(fromPart: string, target: string): string | undefined {
    return this.#pathByPart.get(comparedName(resolveTarget(fromPart, target)));
  }

  #onlyShown(path: string | undefined): string | undefined {
    const part = path === undefined ? undefined : this.partOf(path);
    return part !== undefined && this.#shownAs(part) !== undefined ? path : undefined;
  }

  #shownAs(partName: string): string | undefined {
    const type = this.#package.contentTypes.of(partName)?.toLowerCase() ?? '';
    return Object.hasOwn(SHOWN, type) ? SHOWN[type] : undefined;
  }

  #add(partName: string): void {
    const key = comparedName(partName);
    if (this.#pathByPart.has(key)) return;
    const plain = this.#fileNameOf(partName);
    let path = `media/${plain}`;
    for (let number = 2; this.#partByPath.has(path); number++) path = `media/${number}-${plain}`;
    this.#partByPath.set(path, partName);
    this.#pathByPart.set(key, path);
  }

  /** A plain name whose extension says what a browser is given: some programs call every picture `.tmp` or `.bin`. */
  #fileNameOf(partName: string): string {
    const extension = SHOWN_EXTENSION.test(partName) ? undefined : this.#shownAs(partName);
    const name = plainName(partName);
    return `${name.slice(name.lastIndexOf('/') + 1)}${extension ? `.${extension}` : ''}`
      .replace(/[^A-Za-z0-9._-]/g, '_')
      .slice(-100)
      .replace(/^\./, '_');
  }
}
