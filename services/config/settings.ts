import { addressList } from './address-list.ts';
import { ipFilter } from './ip-filter.ts';
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

const dayMs = 86_400_000;
const headerName = { pattern: /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, form: 'the name of an HTTP header' };
const tokenPrefix = { pattern: /^[!-~]+$/, form: 'one word' };
const anyText = { pattern: /^[^\0]+$/, form: 'a text without NUL' };

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
  groupCommitWindowMs: integer(
    'GROUP_COMMIT_WINDOW_MS',
    5,
    { min: 0, max: 20 },
    'How long a save waits for others to share its transaction, milliseconds.',
  ),
  redisUrl: address(
    'REDIS_URL',
    'process memory (one node)',
    ['redis', 'rediss'],
    'Redis or Valkey that nodes coordinate through.',
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

  converterProcesses: integer(
    'CONVERTER_PROCESSES',
    1,
    { min: 0, max: 64 },
    'Converter processes that `serve` starts beside itself; 0 when `quire worker` runs elsewhere.',
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

  metricsEnabled: flag('METRICS_ENABLED', true, 'Whether Prometheus metrics are served at `/metrics`.'),
  metricsAllowFrom: addressList(
    'METRICS_ALLOW_FROM',
    'loopback,linklocal,uniquelocal',
    'Addresses that may read `/metrics`, in the form of `TRUST_PROXY`.',
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
