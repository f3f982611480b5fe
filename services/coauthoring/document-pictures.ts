import { pictureType } from '../../converter/engines/ooxml/package/pictures.ts';
import type { Media } from '../../db/media.ts';
import type { BlobStore } from '../../platform/ports/blob-store.ts';

/** A picture beside a document: its name in the model and the blob that holds it. */
export interface StoredPicture {
  path: string;
  hash: string;
}

/** Pictures that editors put into documents, stored by content. */
export class DocumentPictures {
  readonly #blobs: BlobStore;
  readonly #media: Media;

  constructor(blobs: BlobStore, media: Media) {
    this.#blobs = blobs;
    this.#media = media;
  }

  /** Null when the bytes are no picture that a document can hold, whatever their name is. */
  async add(key: string, bytes: Uint8Array): Promise<StoredPicture | null> {
    const type = pictureType(bytes);
    if (!type) return null;
    const { hash } = await this.#blobs.put(bytes);
    const path = `media/${hash.slice(0, 32)}.${type.replace('image/', '')}`;
    await this.#media.add(key, path, hash);
    return { path, hash };
  }
}
