import { LicenseResult } from '../../client/protocol/index.ts';
import { isEditor } from '../coauthoring/document/member.ts';
import type { DocumentRegistry } from '../coauthoring/registry.ts';
import type { AnnouncedVersion } from '../http/announced-version.ts';

/** `packageType` of an open-source server. */
const openSource = 0;

/** The answer to the command `license` (integration API, 8.2): there is no licence and so no limit. */
export function licenseAnswer(registry: DocumentRegistry, announced: AnnouncedVersion, startedAt: Date) {
  const editors = new Set<string>();
  const viewers = new Set<string>();
  for (const { document } of registry.actors()) {
    for (const member of document.members.values()) {
      (isEditor(member) ? editors : viewers).add(member.author.userId);
    }
  }
  const expire = new Date().toISOString();
  const listed = (users: ReadonlySet<string>) => [...users].map((userid) => ({ userid, expire }));
  return {
    license: {
      end_date: null,
      trial: false,
      customization: false,
      connections: 0,
      connections_view: 0,
      users_count: 0,
      users_view_count: 0,
      users_expire: 0,
    },
    server: {
      resultType: LicenseResult.success,
      packageType: openSource,
      buildDate: startedAt.toISOString().slice(0, 10),
      buildVersion: announced.version,
      buildNumber: announced.build,
    },
    quota: { users: listed(editors), users_view: listed(viewers) },
  };
}
