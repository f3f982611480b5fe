import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { Config } from '../../platform/config.ts';
import { keepSecretFile } from '../../platform/secrets/secret-place.ts';

/** The passwords and tokens of operators, by what they allow. */
export interface AdminSecrets {
  full: readonly string[];
  reading: readonly string[];
  /** File of the token that was generated because none was set. */
  file: string | null;
}

/** The file in which the generated token is. */
export const adminTokenFile = (dataDir: string): string => path.join(dataDir, 'admin-token');

/** The file of the token that is generated where the configuration has no secret; null where it has one. */
export const adminTokenFileOf = ({
  dataDir,
  adminPassword,
  adminToken,
}: Pick<Config, 'dataDir' | 'adminPassword' | 'adminToken'>): string | null =>
  adminPassword === undefined && adminToken === undefined ? adminTokenFile(dataDir) : null;

/** The secrets of the configuration; where it has none, a token is generated once (mode 0600). */
export async function loadAdminSecrets(
  config: Pick<Config, 'dataDir' | 'adminPassword' | 'adminToken' | 'adminReadToken'>,
): Promise<AdminSecrets> {
  const isGiven = (text: string | undefined): text is string => text !== undefined;
  const full = [config.adminPassword, config.adminToken].filter(isGiven);
  const reading = [config.adminReadToken].filter(isGiven);
  const file = adminTokenFileOf(config);
  if (file === null) return { full, reading, file };
  const token = await keepSecretFile(file, async () => `${randomBytes(24).toString('base64url')}\n`);
  return { full: [token.trim()], reading, file };
}
