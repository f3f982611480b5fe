import {
  address,
  anyText,
  choice,
  flag,
  integer,
  optionalFlag,
  optionalPath,
  optionalText,
  secret,
  text,
} from '../setting.ts';

/** The database, and how it is used. */
export const databaseSettings = {
  databaseUrl: address(
    'DATABASE_URL',
    'embedded server under `DATA_DIR`',
    ['postgres', 'postgresql'],
    'PostgreSQL to use, version 14 or later.',
  ),
  databasePoolSize: integer(
    'DATABASE_POOL_SIZE',
    10,
    { min: 2, max: 1_000 },
    'Most connections this process opens to PostgreSQL.',
  ),
  databaseDirectUrl: address(
    'DATABASE_DIRECT_URL',
    'as `DATABASE_URL`',
    ['postgres', 'postgresql'],
    'The same database past a pooler such as PgBouncer, for what needs a connection of its own: migrations, the lock of the node, jobs without Redis, tidying. Name it when `DATABASE_URL` is a pooler in transaction mode.',
  ),
  databasePreparedStatements: flag(
    'DATABASE_PREPARED_STATEMENTS',
    true,
    'Whether frequent statements are prepared once per connection. Off for poolers in transaction mode that do not know prepared statements (PgBouncer before 1.21, or `max_prepared_statements` 0).',
  ),
  databasePoolWaitMs: integer(
    'DATABASE_POOL_WAIT_MS',
    10_000,
    { min: 100, max: 600_000 },
    'How long a request waits for a free connection to PostgreSQL before it fails, milliseconds.',
  ),
  databaseStatementTimeoutMs: integer(
    'DATABASE_STATEMENT_TIMEOUT_MS',
    30_000,
    { min: 0, max: 3_600_000 },
    'After which PostgreSQL ends a statement of this server, milliseconds; workers have twice as long; 0: never. Behind a pooler it is to be set for the role.',
  ),
  groupCommitWindowMs: integer(
    'GROUP_COMMIT_WINDOW_MS',
    4,
    { min: 0, max: 20 },
    'How long a save waits for others to share its transaction, milliseconds, where at least two others are to be expected meanwhile: on a server that hardly anybody uses nobody waits. 0: a save shares with those that come while an earlier transaction is under way, and waits for nothing else.',
  ),
};

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
