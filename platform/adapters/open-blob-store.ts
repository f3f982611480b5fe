import type { Config } from '../config.ts';
import type { OwnedBlobStore } from '../ports/blob-store.ts';
import { blobDirectory, FileBlobStore } from './file-blob-store.ts';

/** The store that `BLOB_STORE` names. The client for S3 is loaded only where it is wanted. */
export async function openBlobStore(config: Config): Promise<OwnedBlobStore> {
  if (config.blobStore === 'files') return new FileBlobStore(blobDirectory(config));
  const { openS3BlobStore } = await import('./s3/open-s3-blob-store.ts');
  return openS3BlobStore(config);
}
