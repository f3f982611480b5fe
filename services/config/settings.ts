import { addressList } from './address-list.ts';
import { ipFilter } from './ip-filter.ts';
import { redisAddress } from './redis-address.ts';
import {
  address,
  choice,
  expression,
  flag,
  integer,
  optionalFlag,
  optionalText,
  type Setting,
  secret,
  text,
} from './setting.ts';
import { workerCount } from './worker-count.ts';

const dayMs = 86_400_000;
const headerName = { pattern: /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, form: 'the name of an HTTP header' };
const tokenPrefix = { pattern: /^[!-~]+$/, form: 'one word' };
const anyText = { pattern: /^[^\0]+$/, form: 'a text without NUL' };
const s3Word = { pattern: /^[!-~]+$/, form: 'one word' };

/**
 * Every setting of the server, once: name in the code, environment variable, type, default and meaning.
 * The README table is made from this.
 */
export const settings = {
  port: integer(
    'PORT',
    8000,
    { min: 0, max: 65_535 },
    'TCP port for HTTP and WebSocket; 0 takes a free one.',
  ),
  // Pages of other hosts embed the editors and containers are reached from outside, so a loopback default
  // would only be switched off everywhere. What makes listening on all addresses safe is that tokens are on.
  host: optionalText(
    'HOST',
    'all addresses',
    { pattern: /^[0-9A-Za-z.:_-]+$/, form: 'an IP address or host name' },
    'Address to listen on.',
  ),
  publicUrl: address(
    'PUBLIC_URL',
    'from each request',
    ['http', 'https'],
    'Address under which browsers and integrators reach this server; overrides what requests say.',
  ),
  trustProxy: addressList(
    'TRUST_PROXY',
    'loopback,linklocal,uniquelocal',
    'Addresses of proxies whose X-Forwarded headers are believed: names, addresses and CIDR ranges, `all` or `none`.',
  ),
  dataDir: text('DATA_DIR', './data', anyText, 'Directory for secrets, files and the embedded database.'),

  blobDir: optionalText(
    'BLOB_DIR',
    '`blobs` under `DATA_DIR`',
    anyText,
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
    5,
    { min: 0, max: 20 },
    'How long a save waits for others to share its transaction, milliseconds.',
  ),
  redisUrl: redisAddress(
    'REDIS_URL',
    'process memory (one node)',
    'Redis or Valkey that nodes coordinate through: `redis://[user:password@]host:port[/database]`; several hosts with commas between them, or `redis+cluster://`, for a cluster; `redis+sentinel://host:port,…/master` for one that sentinels know. With `rediss` in place of `redis` over TLS.',
  ),
  redisPrefix: text(
    'REDIS_PREFIX',
    'quire',
    { pattern: /^[0-9A-Za-z._-]{1,64}$/, form: 'up to 64 letters, digits, dots, hyphens and underscores' },
    'Beginning of all names in Redis; another one for each installation that shares a Redis.',
  ),
  nodeLeaseMs: integer(
    'NODE_LEASE_MS',
    5_000,
    { min: 500, max: 120_000 },
    'A node that the others have not heard of for this long is taken for dead, milliseconds.',
  ),

  jwtEnabled: flag('JWT_ENABLED', true, 'Whether requests and opened documents must carry a token.'),
  jwtEnabledInbox: optionalFlag(
    'JWT_ENABLED_INBOX',
    'as `JWT_ENABLED`',
    'Whether commands and conversions must carry a token.',
  ),
  jwtEnabledOutbox: optionalFlag(
    'JWT_ENABLED_OUTBOX',
    'as `JWT_ENABLED`',
    'Whether callbacks and downloads carry a token of this server.',
  ),
  jwtSecret: secret('JWT_SECRET', 'generated at first start', 'Secret shared with integrators.'),
  jwtSecretInbox: secret(
    'JWT_SECRET_INBOX',
    'as `JWT_SECRET`',
    'Secret that integrators sign configs, commands and conversions with.',
  ),
  jwtSecretOutbox: secret(
    'JWT_SECRET_OUTBOX',
    'as `JWT_SECRET`',
    'Secret that callbacks and downloads of this server are signed with.',
  ),
  jwtSecretPrevious: secret(
    'JWT_SECRET_PREVIOUS',
    'none',
    'Secret that integrators may still sign with while it is being replaced.',
  ),
  jwtSessionSecret: secret(
    'JWT_SESSION_SECRET',
    'generated at first start',
    'Secret of the session tokens this server gives to editors; the same on all nodes.',
  ),
  sessionTokenLifeS: integer(
    'SESSION_TOKEN_LIFE_S',
    30 * 86_400,
    { min: 2, max: 365 * 86_400 },
    'How long a session token is good, seconds; who stays connected gets a new one after half of it.',
  ),
  sessionIdleMs: integer(
    'SESSION_IDLE_MS',
    3_600_000,
    { min: 0, max: 30 * dayMs },
    'How long an editor may stay in a document without doing anything, milliseconds; 0: for ever.',
  ),
  sessionAbsoluteMs: integer(
    'SESSION_ABSOLUTE_MS',
    30 * dayMs,
    { min: 0, max: 365 * dayMs },
    'How long a session may last from its beginning, milliseconds; 0: for ever.',
  ),
  secureLinkSecret: secret(
    'SECURE_LINK_SECRET',
    'generated at first start',
    'Secret of the signatures of file links, and of the encryption of passwords of open documents; the same on all nodes.',
  ),
  jwtHeader: text('JWT_HEADER', 'Authorization', headerName, 'HTTP header that carries tokens, both ways.'),
  jwtHeaderInbox: optionalText(
    'JWT_HEADER_INBOX',
    'as `JWT_HEADER`',
    headerName,
    'HTTP header in which integrators send tokens.',
  ),
  jwtHeaderOutbox: optionalText(
    'JWT_HEADER_OUTBOX',
    'as `JWT_HEADER`',
    headerName,
    'HTTP header in which this server sends tokens.',
  ),
  jwtPrefix: text(
    'JWT_PREFIX',
    'Bearer',
    tokenPrefix,
    'Word before the token in the header, both ways; `none` for the token alone.',
  ),
  jwtPrefixInbox: optionalText(
    'JWT_PREFIX_INBOX',
    'as `JWT_PREFIX`',
    tokenPrefix,
    'Word before the token in headers of integrators.',
  ),
  jwtPrefixOutbox: optionalText(
    'JWT_PREFIX_OUTBOX',
    'as `JWT_PREFIX`',
    tokenPrefix,
    'Word before the token in headers of this server.',
  ),
  jwtInBody: flag(
    'JWT_IN_BODY',
    true,
    'Accepted and without effect: tokens are always read from, and sent in, both the body and the header.',
  ),
  jwtAlgorithm: choice(
    'JWT_ALGORITHM',
    'HS256',
    ['HS256', 'HS384', 'HS512'],
    'Algorithm that this server signs with; all three are accepted.',
  ),
  jwtOutboxLifeS: integer(
    'JWT_OUTBOX_LIFE_S',
    300,
    { min: 10, max: 86_400 },
    'How long the token of a callback or download is valid, seconds.',
  ),
  jwtClockToleranceS: integer(
    'JWT_CLOCK_TOLERANCE_S',
    60,
    { min: 0, max: 3_600 },
    'How far the clocks of integrators and of this server may differ, seconds.',
  ),
  jwtOutboxExclude: expression(
    'JWT_OUTBOX_EXCLUDE',
    'none',
    'Downloads from addresses that match get no token, for storages that refuse the header.',
  ),

  allowPrivateIpAddress: flag(
    'ALLOW_PRIVATE_IP_ADDRESS',
    false,
    'Whether private addresses may be contacted for an address that no verified token vouches for.',
  ),
  allowMetaIpAddress: flag(
    'ALLOW_META_IP_ADDRESS',
    false,
    'Whether metadata services of clouds and link-local addresses may be contacted.',
  ),
  ipFilter: ipFilter(
    'IP_FILTER',
    'Hosts that may be contacted: rules separated by commas, each `allow` or `deny` and a host name, address, range (`10.0.0.0/8`) or pattern with `*`. The first that matches decides; what none matches is allowed.',
  ),
  ipFilterForRequests: flag(
    'IP_FILTER_FOR_REQUESTS',
    false,
    'Whether `IP_FILTER` decides as well who may send commands and conversions, and read health and figures; others get 403.',
  ),
  maxDownloadSizeBytes: integer(
    'MAX_DOWNLOAD_SIZE_BYTES',
    104_857_600,
    { min: 1, max: 10 * 1024 ** 3 },
    'Largest source document, bytes.',
  ),
  downloadTimeoutMs: integer(
    'DOWNLOAD_TIMEOUT_MS',
    120_000,
    { min: 100, max: dayMs },
    'Longest a download of a source document may take, milliseconds.',
  ),

  closingGraceMs: integer(
    'CLOSING_GRACE_MS',
    5_000,
    { min: 0, max: dayMs },
    'How long after the last editor left a document is assembled, milliseconds.',
  ),
  reconnectGraceMs: integer(
    'RECONNECT_GRACE_MS',
    10_000,
    { min: 0, max: dayMs },
    'How long after a start editors of the time before may come back before their documents are closed, milliseconds.',
  ),
  firstEditorPatienceMs: integer(
    'FIRST_EDITOR_PATIENCE_MS',
    10_000,
    { min: 100, max: 60_000 },
    'How long a lone editor may be silent while somebody waits to come in, before the newcomer is let in, milliseconds.',
  ),
  saveLockLeaseMs: integer(
    'SAVE_LOCK_LEASE_MS',
    60_000,
    { min: 1_000, max: dayMs },
    'How long an editor may hold the save lock, milliseconds.',
  ),
  forceSaveIntervalMs: integer(
    'FORCE_SAVE_INTERVAL_MS',
    0,
    { min: 0, max: dayMs },
    'How long a change may wait before it is in the storage while people edit the document, milliseconds, for integrators that do not say it themselves (`editorConfig.quireStoreWithinS`); 0: until somebody asks or everybody has left.',
  ),
  forceSaveLeastMs: integer(
    'FORCE_SAVE_LEAST_MS',
    5_000,
    { min: 100, max: dayMs },
    'Shortest such time that an integrator can ask for, milliseconds; a shorter one is raised to it.',
  ),
  callbackTimeoutMs: integer(
    'CALLBACK_TIMEOUT_MS',
    600_000,
    { min: 100, max: dayMs },
    'How long an integrator may take to answer a callback, milliseconds.',
  ),
  callbackRetryForMs: integer(
    'CALLBACK_RETRY_FOR_MS',
    3_600_000,
    { min: 0, max: 30 * dayMs },
    'How long a failing callback is retried before the document goes to forgotten storage, milliseconds.',
  ),
  callbackRetryPauseMs: integer(
    'CALLBACK_RETRY_PAUSE_MS',
    1_000,
    { min: 50, max: 300_000 },
    'Pause after the first failed attempt at a callback, milliseconds; it doubles with every further one, up to five minutes.',
  ),
  tidyAfterMs: integer(
    'TIDY_AFTER_MS',
    dayMs,
    { min: 3_600_000, max: 365 * dayMs },
    'How long documents without changes, delivered callbacks and files that nothing names are kept after their last use, milliseconds.',
  ),
  tidyEveryMs: integer(
    'TIDY_EVERY_MS',
    3_600_000,
    { min: 0, max: dayMs },
    'How often they are looked for, milliseconds; 0: never.',
  ),
  retirementWaitMs: integer(
    'RETIREMENT_WAIT_MS',
    120_000,
    { min: 0, max: dayMs },
    'How long `PUT /internal/cluster/inactive` waits until every document is handed over, milliseconds.',
  ),
  temporaryLinkLifeS: integer(
    'TEMPORARY_LINK_LIFE_S',
    900,
    { min: 10, max: 30 * 86_400 },
    'How long the link to a result works, seconds.',
  ),

  wopiEnabled: flag(
    'WOPI_ENABLED',
    false,
    'Whether WOPI hosts may use this server: `/hosting/…` and `/cool/convert-to` exist only then.',
  ),
  wopiHosts: optionalText(
    'WOPI_HOSTS',
    'any public host',
    {
      pattern: /^\s*https?:\/\/[^\s,]+(\s*,\s*https?:\/\/[^\s,]+)*\s*$/,
      form: 'addresses of hosts, with commas between them',
    },
    'Addresses that those of files at WOPI hosts must begin with, such as `https://files.example.com/wopi`; what is named here may be a private address.',
  ),
  wopiLockRefreshMs: integer(
    'WOPI_LOCK_REFRESH_MS',
    600_000,
    { min: 100, max: 1_500_000 },
    'How often a lock at a WOPI host is confirmed, milliseconds; hosts forget one after half an hour.',
  ),
  wopiProofKeysFile: optionalText(
    'WOPI_PROOF_KEYS_FILE',
    '`wopi-proof-keys.json` under `DATA_DIR`',
    anyText,
    'File of the keys that requests to WOPI hosts are signed with, made at the first start; the same on all nodes.',
  ),

  workers: workerCount(
    'WORKERS',
    'Processes that serve editors behind the one port; `auto` is one for each processor core.',
  ),
  converterProcesses: integer(
    'CONVERTER_PROCESSES',
    1,
    { min: 0, max: 64 },
    'Converter processes that `serve` starts beside itself; 0 when `quire worker` runs elsewhere.',
  ),
  converterPort: integer(
    'CONVERTER_PORT',
    0,
    { min: 0, max: 65_535 },
    'TCP port on which `quire worker` answers `/healthcheck` and `/metrics`; 0: none. Not for workers that `serve` starts: their figures are on its page.',
  ),
  converterConcurrency: integer(
    'CONVERTER_CONCURRENCY',
    2,
    { min: 1, max: 256 },
    'Documents that one worker process opens or assembles at the same time.',
  ),
  converterJobTimeoutMs: integer(
    'CONVERTER_JOB_TIMEOUT_MS',
    300_000,
    { min: 1_000, max: dayMs },
    'Longest a conversion may take, milliseconds.',
  ),
  converterMemoryMb: integer(
    'CONVERTER_MEMORY_MB',
    1_024,
    { min: 64, max: 1_048_576 },
    'Memory that one conversion may use, MiB.',
  ),
  x2tDir: optionalText(
    'X2T_DIR',
    '`x2t` under `DATA_DIR`, if there',
    anyText,
    'Directory of the converter x2t, with which editors that name no model of ours open and save documents; `quire install x2t` installs it.',
  ),
  editorsDir: optionalText(
    'EDITORS_DIR',
    'none',
    anyText,
    'Directory with `web-apps` and `sdkjs` of editors of the ONLYOFFICE family, which `api.js` then opens in place of those of Quire.',
  ),
  x2tUnconfined: flag(
    'X2T_UNCONFINED',
    false,
    'Whether x2t may run where the system lets it not be confined to the files of its job. It copies files of this machine into documents that link to them: for trusted documents only.',
  ),

  wsMaxPayloadBytes: integer(
    'WS_MAX_PAYLOAD_BYTES',
    16_777_216,
    { min: 65_536, max: 1_073_741_824 },
    'Largest message accepted from an editor, bytes.',
  ),
  outboundQueueBytes: integer(
    'OUTBOUND_QUEUE_BYTES',
    8_388_608,
    { min: 65_536, max: 1_073_741_824 },
    'What may wait for a slow editor before it is disconnected, bytes.',
  ),
  maxChangesBytes: integer(
    'MAX_CHANGES_BYTES',
    157_286_400,
    { min: 1_000, max: 4 * 1024 ** 3 },
    'Most that the changes of one document may take until it is closed, bytes.',
  ),
  maxDocumentConnections: integer(
    'MAX_DOCUMENT_CONNECTIONS',
    5_000,
    { min: 1, max: 1_000_000 },
    'Most connections to one document. Whoever has a session comes back to it in any case.',
  ),
  checkpointEvery: integer(
    'CHECKPOINT_EVERY',
    5_000,
    { min: 0, max: 1_000_000 },
    'After so many changes the model of a text document that is being edited is kept, so that neither files nor newcomers need the changes before it; 0: never.',
  ),
  historyMemoryBytes: integer(
    'HISTORY_MEMORY_BYTES',
    134_217_728,
    { min: 0, max: 64 * 1024 ** 3 },
    'Memory for the changes of open documents, ready to be sent to whoever comes in, bytes.',
  ),
  authTimeoutMs: integer(
    'AUTH_TIMEOUT_MS',
    45_000,
    { min: 100, max: 3_600_000 },
    'How long a connection may stay without having authenticated, milliseconds.',
  ),
  maxUnauthenticatedSockets: integer(
    'MAX_UNAUTHENTICATED_SOCKETS',
    10_000,
    { min: 1, max: 1_000_000 },
    'Most connections that have not authenticated yet.',
  ),

  exampleEnabled: optionalFlag(
    'EXAMPLE_ENABLED',
    'true with the embedded database, false with `DATABASE_URL`',
    'Whether the example application is served at `/example/`. Whoever reaches it may use it: not for production. It needs tokens.',
  ),
  faultPoint: optionalText(
    'FAULT_POINT',
    'none',
    { pattern: /^[a-z:-]+$/, form: 'the name of a fault point' },
    'For tests of recovery: the process kills itself when it comes to this place.',
  ),

  adminEnabled: flag(
    'ADMIN_ENABLED',
    true,
    'Whether there is administration: its page and REST API at `/admin/` of a port of their own.',
  ),
  adminPort: integer(
    'ADMIN_PORT',
    8001,
    { min: 0, max: 65_535 },
    'TCP port of the administration; 0 takes a free one. Where it is taken the server goes on without.',
  ),
  adminHost: text(
    'ADMIN_HOST',
    '127.0.0.1',
    { pattern: /^[0-9A-Za-z.:_-]+$/, form: 'an IP address or host name' },
    "Address that the administration listens on; another one than this machine's own wants TLS in front.",
  ),
  adminPassword: secret(
    'ADMIN_PASSWORD',
    'a token in `DATA_DIR/admin-token`, generated at first start',
    'Password of operators.',
  ),
  adminToken: secret(
    'ADMIN_TOKEN',
    'none',
    'Token with which programs administrate (`Authorization: Bearer …`); it opens the page as well.',
  ),
  adminReadToken: secret(
    'ADMIN_READ_TOKEN',
    'none',
    'Token with which operators and programs may look at everything and change nothing.',
  ),
  drainSpreadMs: integer(
    'DRAIN_SPREAD_MS',
    10_000,
    { min: 0, max: 3_600_000 },
    'Over how long the connections of a node that is drained are spread that go to other nodes, milliseconds.',
  ),

  metricsEnabled: flag('METRICS_ENABLED', true, 'Whether Prometheus metrics are served at `/metrics`.'),
  metricsAllowFrom: addressList(
    'METRICS_ALLOW_FROM',
    'loopback,linklocal,uniquelocal',
    'Addresses that may read `/metrics`, in the form of `TRUST_PROXY`.',
  ),
  otlpEndpoint: address(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'none: no traces',
    ['http', 'https'],
    'Address of an OpenTelemetry collector (OTLP over HTTP) that traces are sent to. The other standard `OTEL_…` variables count too.',
  ),
  otlpTracesEndpoint: address(
    'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    '`v1/traces` at `OTEL_EXPORTER_OTLP_ENDPOINT`',
    ['http', 'https'],
    'Whole address for traces, where it is another one.',
  ),
  traceSavesEvery: integer(
    'TRACE_SAVES_EVERY',
    100,
    { min: 1, max: 1_000_000 },
    'One save in so many is traced, where traces are on.',
  ),
  logLevel: choice(
    'LOG_LEVEL',
    'info',
    ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    'Least severity that is logged.',
  ),
  logFormat: choice(
    'LOG_FORMAT',
    'auto',
    ['auto', 'pretty', 'json'],
    'Form of the log; `auto` is pretty in a terminal and JSON otherwise.',
  ),
} satisfies Record<string, Setting<unknown>>;

/** The settings as values. */
export type Config = {
  readonly [Name in keyof typeof settings]: (typeof settings)[Name]['defaultValue'];
};
