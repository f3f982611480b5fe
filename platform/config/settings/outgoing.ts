import { ipFilter } from '../ip-filter.ts';
import { flag, integer } from '../setting.ts';

const dayMs = 86_400_000;

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
