import { randomBytes } from 'node:crypto';
import { stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { blobDirectory } from '../../platform/adapters/file-blob-store.ts';
import { openBlobStore } from '../../platform/adapters/open-blob-store.ts';
import type { Config } from '../../platform/config.ts';
import {
  BlobStoreUnavailableError,
  type OwnedBlobStore,
  type StoreFailure,
} from '../../platform/ports/blob-store.ts';
import { ask } from './ask.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const probeBytes = 1_024;
const linkLifeS = 60;
/** Age after which an unfinished upload is abandoned, milliseconds. */
const abandonedMs = 30 * 86_400_000;

const remedies: Readonly<Record<StoreFailure, string>> = {
  unreachable: 'Correct S3_ENDPOINT, or start the server that it names.',
  timeout: 'Look for a firewall in between, or raise S3_TIMEOUT_MS.',
  'no-bucket': 'Make the bucket, or correct S3_BUCKET and S3_PREFIX.',
  credentials: 'Correct S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or the role of this machine.',
  denied:
    'Allow s3:GetObject, PutObject, DeleteObject, AbortMultipartUpload, ListBucket and ListBucketMultipartUploads.',
  clock: 'Have the clock of this machine set by NTP.',
  region: 'Correct S3_REGION.',
  overloaded: 'Try again later, or raise S3_ATTEMPTS.',
  refused: 'See what it says, and S3_PATH_STYLE and S3_ENCRYPTION.',
};

/** Whether files can be written, read in part and whole, listed and deleted. Leaves nothing behind. */
export async function checkBlobStore(config: Config): Promise<Finding[]> {
  const where = config.blobStore === 's3' ? `bucket ${config.s3Bucket}` : blobDirectory(config);
  try {
    const store = await openBlobStore(config);
    await tryStore(store);
    const links = store.directLinks ? await tryLinks(store) : [];
    return [ok(`Files can be written, read, listed and deleted (${where})`), ...links];
  } catch (error) {
    if (error instanceof BlobStoreUnavailableError) return [fail(error.message, remedies[error.code])];
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC') return [fail(`The disk of ${where} is full`, 'Make room, or move BLOB_DIR.')];
    if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM') {
      return [
        fail(
          `${where} may not be written to`,
          `Give it to the user that runs the server: chown -R … ${where}`,
        ),
      ];
    }
    return [
      fail(`Files cannot be stored in ${where}: ${message}`, 'Correct DATA_DIR, or what is at its place.'),
    ];
  }
}

async function tryStore(store: OwnedBlobStore): Promise<void> {
  const content = randomBytes(probeBytes);
  const { hash } = await store.put(content);
  try {
    const part = await store.open(hash, { start: 10, end: 19 });
    const isRight =
      (await store.sizeOf(hash)) === probeBytes &&
      (await store.read(hash)).equals(content) &&
      part !== undefined &&
      (await buffer(part)).equals(content.subarray(10, 20));
    if (!isRight) throw new Error('what was written is not what is read');
    for await (const _blob of store.all()) break;
    await store.sweep(abandonedMs);
  } finally {
    await store.delete(hash);
  }
  if ((await store.sizeOf(hash)) !== undefined) throw new Error('what was deleted is still there');
}

/** Whether clients can get a file from the bucket itself, also scripts of other origins. */
async function tryLinks(store: OwnedBlobStore): Promise<Finding[]> {
  const content = randomBytes(probeBytes);
  const { hash } = await store.put(content);
  const headers = { contentType: 'application/octet-stream', contentDisposition: 'attachment' };
  const link = await store.directLinks!.linkTo(hash, headers, linkLifeS);
  const { host } = new URL(link);
  try {
    const answer = await ask(link, { headers: { origin: 'https://doctor.invalid' }, followsRedirects: true });
    if (answer instanceof Error) {
      return [
        fail(
          `Direct links to ${host} cannot be followed: ${answer.message}`,
          'Correct S3_PUBLIC_ENDPOINT, or set S3_LINKS=proxied.',
        ),
      ];
    }
    if (answer.status !== 200 || !answer.content.equals(content)) {
      return [
        fail(
          `A direct link to ${host} is answered with ${answer.status}`,
          'Correct S3_PUBLIC_ENDPOINT: the host name is part of the signature.',
        ),
      ];
    }
    const origin = answer.headers['access-control-allow-origin'];
    if (origin === '*' || origin === 'null') return [ok(`Direct links to ${host} work, from pages too`)];
    return [
      warn(
        `${host} does not allow pages of other origins to read files`,
        'Give the bucket a CORS rule for GET with AllowedOrigins *: after a redirect browsers send the origin null.',
      ),
    ];
  } finally {
    await store.delete(hash);
  }
}

/** Share of free inodes below which a warning is given. */
const fewInodes = 0.02;
const [scarceBytes, fullBytes] = [2 * 1024 ** 3, 200 * 1024 ** 2];

/** Free space and inodes where the server writes: its own directory, and that of the files of documents where they are in one. */
export async function checkDisks(
  config: Pick<Config, 'dataDir' | 'blobDir' | 'blobStore'>,
): Promise<Finding[]> {
  const places: [setting: string, directory: string][] = [['DATA_DIR', config.dataDir]];
  if (config.blobStore === 'files') places.push(['BLOB_DIR', blobDirectory(config)]);
  const findings: Finding[] = [];
  const seen = new Set<number>();
  for (const [setting, wanted] of places) {
    const { directory, device } = await existing(wanted);
    if (!seen.has(device)) findings.push(...(await diskFindings(directory, setting)));
    seen.add(device);
  }
  return findings;
}

/** The directory, or the nearest one above it that exists, and the number of its file system. */
async function existing(directory: string): Promise<{ directory: string; device: number }> {
  const found = await stat(directory).catch(() => null);
  return found ? { directory, device: found.dev } : existing(path.dirname(directory));
}

async function diskFindings(directory: string, setting: string): Promise<Finding[]> {
  const found = await statfs(directory);
  const findings = [spaceFinding(directory, found.bavail * found.bsize, setting)];
  if (found.files > 0 && found.ffree / found.files < fewInodes) {
    const sentence = `The file system of ${directory} can hold hardly any more files (inodes)`;
    findings.push(warn(sentence, `Move ${setting} to another one.`));
  }
  return findings;
}

/** Judges free space. */
export function spaceFinding(directory: string, freeBytes: number, setting: string): Finding {
  const sentence = `${(freeBytes / 1024 ** 3).toFixed(1)} GB are free in ${directory}`;
  if (freeBytes < fullBytes) return fail(sentence, 'Make room now: saves fail when the disk is full.');
  return freeBytes < scarceBytes ? warn(sentence, `Make room, or move ${setting}.`) : ok(sentence);
}
