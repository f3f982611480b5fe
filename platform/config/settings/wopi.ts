import { addressList } from '../address-list.ts';
import { flag, integer, optionalPath, optionalText } from '../setting.ts';

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
