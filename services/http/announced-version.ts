import { protocolVersion } from '../../client/protocol/version.ts';

/** Version and build that a server announces to browsers. */
export interface AnnouncedVersion {
  version: string;
  build: number;
}

const own = `${protocolVersion.version}.${protocolVersion.build}`;

/**
 * The members of `license` and `auth` with the version (co-authoring protocol, 6). When a server announces the version of
 * third-party editors, Quire's own version is beside it.
 */
export function versionFields({ version, build }: AnnouncedVersion): {
  buildVersion: string;
  buildNumber: number;
  quireVersion?: string;
} {
  const fields = { buildVersion: version, buildNumber: build };
  return `${version}.${build}` === own ? fields : { ...fields, quireVersion: own };
}
