import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { FileBlobStore } from '../../platform/adapters/file-blob-store.ts';
import { openS3BlobStore } from '../../platform/adapters/s3/open-s3-blob-store.ts';
import { loadConfig } from '../../platform/config.ts';
import { hasS3Server, TestS3 } from '../support/s3-server.ts';
import { describeBlobStore } from './blob-store.ts';

describeBlobStore('files', (directory) => new FileBlobStore(directory));

describe.skipIf(!hasS3Server)('S3 (needs versitygw)', () => {
  let s3: TestS3;
  beforeAll(async () => {
    s3 = await TestS3.start();
  });
  afterAll(() => s3.close());

  describeBlobStore('S3', (directory) =>
    openS3BlobStore(
      loadConfig({
        ...s3.environment,
        S3_PREFIX: `tests/${randomUUID()}/`,
        DATA_DIR: path.join(directory, 'data'),
      }),
    ),
  );
});
