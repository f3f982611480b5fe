import {
  address,
  anyText,
  choice,
  integer,
  optionalFlag,
  optionalPath,
  optionalText,
  secret,
  text,
} from '../setting.ts';

const s3Word = { pattern: /^[!-~]+$/, form: 'one word' };

/** Where the files of documents are kept. */
export const blobsSettings = {
  blobDir: optionalPath(
    'BLOB_DIR',
    '`blobs` under `DATA_DIR`',
    'Directory of the files of documents; the same one for all nodes and converters.',
  ),
  blobStore: choice(
    'BLOB_STORE',
    'files',
    ['files', 's3'],
    'Where documents, pictures and results are kept: in `blobs` under `DATA_DIR`, or in a bucket of S3 or of a server compatible with it.',
  ),
  s3Endpoint: address(
    'S3_ENDPOINT',
    'that of AWS',
    ['http', 'https'],
    'Address of a server compatible with S3, as this server and its workers reach it.',
  ),
  s3Region: text('S3_REGION', 'us-east-1', s3Word, 'Region of the bucket.'),
  s3Bucket: optionalText(
    'S3_BUCKET',
    'none',
    { pattern: /^[0-9A-Za-z][0-9A-Za-z._-]{1,61}[0-9A-Za-z]$/, form: 'the name of a bucket' },
    'Bucket for the files; it must exist. Needed with `BLOB_STORE=s3`.',
  ),
  s3Prefix: optionalText(
    'S3_PREFIX',
    'none',
    {
      pattern: /^(?!\/)[0-9A-Za-z!_.*'()/-]{1,512}$/,
      form: 'the beginning of object names, without a slash in front',
    },
    'What the names of all objects in the bucket begin with, for buckets that hold other things too.',
  ),
  s3PathStyle: optionalFlag(
    'S3_PATH_STYLE',
    'true with `S3_ENDPOINT`',
    'Whether the bucket is named in the path of addresses instead of the host name.',
  ),
  s3AccessKeyId: optionalText(
    'S3_ACCESS_KEY_ID',
    'credentials of the environment',
    s3Word,
    'Access key. Without it the usual places of AWS are looked at: variables, profiles, roles of containers and machines.',
  ),
  s3SecretAccessKey: secret('S3_SECRET_ACCESS_KEY', 'none', 'Secret of the access key.'),
  s3Encryption: choice(
    'S3_ENCRYPTION',
    'none',
    ['none', 'AES256', 'aws:kms'],
    'Encryption that is asked for with each object; `none` leaves it to the bucket.',
  ),
  s3KmsKeyId: optionalText(
    'S3_KMS_KEY_ID',
    'that of the bucket',
    anyText,
    'Key for `S3_ENCRYPTION=aws:kms`.',
  ),
  s3TimeoutMs: integer(
    'S3_TIMEOUT_MS',
    10_000,
    { min: 100, max: 3_600_000 },
    'Longest silence of the server within one attempt, milliseconds.',
  ),
  s3Attempts: integer(
    'S3_ATTEMPTS',
    3,
    { min: 1, max: 20 },
    'How often a request is sent before it has failed.',
  ),
  s3Links: choice(
    'S3_LINKS',
    'proxied',
    ['proxied', 'direct'],
    'Whether files are sent through this server, or clients are redirected to the bucket by a signed link.',
  ),
  s3PublicEndpoint: address(
    'S3_PUBLIC_ENDPOINT',
    'as `S3_ENDPOINT`',
    ['http', 'https'],
    'Address of the server under which browsers and integrators reach it, for `S3_LINKS=direct`.',
  ),
  s3LinkLifeS: integer(
    'S3_LINK_LIFE_S',
    900,
    { min: 10, max: 604_800 },
    'Longest life of a link into the bucket, seconds.',
  ),
};
