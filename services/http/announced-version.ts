import { ownVersion } from '../../client/protocol/version.ts';

/** Version and build that a server announces to browsers. */
export interface AnnouncedVersion {
  version: string;
  build: number;
}

/**
 * The members of `license` and `auth` with the version (co-authoring protocol, 6): that of the protocol, or of third-party editors, and
 * beside it Quire's own, which its pages compare with theirs.
 */
export const versionFields = ({ version, build }: AnnouncedVersion) => ({
  buildVersion: version,
  buildNumber: build,
  quireVersion: ownVersion,
});
