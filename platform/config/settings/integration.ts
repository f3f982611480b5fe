import { addressList } from '../address-list.ts';
import { ipFilter } from '../ip-filter.ts';
import {
  choice,
  expression,
  flag,
  integer,
  optionalFlag,
  optionalPath,
  optionalText,
  secret,
  text,
} from '../setting.ts';

const dayMs = 86_400_000;
const headerName = { pattern: /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, form: 'the name of an HTTP header' };
const tokenPrefix = { pattern: /^[!-~]+$/, form: 'one word' };

/** Tokens of integrators, and the sessions that begin with them. */
export const tokensSettings = {
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
};

/** Whom this server contacts, and how much it takes from them. */
export const outgoingSettings = {
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
    'Whether `IP_FILTER` decides as well who may send commands and conversions, and read health and metrics; others get 403.',
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
};

/** WOPI hosts. */
export const wopiSettings = {
  wopiEnabled: flag(
    'WOPI_ENABLED',
    false,
    'Whether WOPI hosts may use this server: `/hosting/…` and `/cool/convert-to` exist only then.',
  ),
  wopiHosts: optionalText(
    'WOPI_HOSTS',
    'none: no host may use this server',
    {
      pattern: /^\s*https?:\/\/[^\s,]+(\s*,\s*https?:\/\/[^\s,]+)*\s*$/,
      form: 'addresses of hosts, with commas between them',
    },
    'Addresses that those of files at WOPI hosts must begin with, such as `https://files.example.com/wopi`; what is named here may be a private address.',
  ),
  wopiConvertFrom: addressList(
    'WOPI_CONVERT_FROM',
    'none',
    'Addresses that may use `/cool/convert-to`, which carries no token, in the form of `TRUST_PROXY`: those of your hosts.',
  ),
  wopiLockRefreshMs: integer(
    'WOPI_LOCK_REFRESH_MS',
    600_000,
    { min: 100, max: 1_500_000 },
    'How often a lock at a WOPI host is confirmed, milliseconds; hosts forget one after half an hour.',
  ),
  wopiProofKeysFile: optionalPath(
    'WOPI_PROOF_KEYS_FILE',
    '`wopi-proof-keys.json` under `DATA_DIR`',
    'File of the keys that requests to WOPI hosts are signed with, made at the first start; the same on all nodes.',
  ),
};
