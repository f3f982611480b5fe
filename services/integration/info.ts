import type { Router } from 'express';
import { LicenseMode, LicenseResult } from '../../client/protocol/index.ts';
import { protocolVersion } from '../../platform/config.ts';
import { isEditor } from '../coauthoring/document/member.ts';
import type { DocumentRegistry } from '../coauthoring/registry.ts';
import type { AnnouncedVersion } from '../http/announced-version.ts';
import { ofThisMachine } from '../http/caller.ts';
import { Routes } from '../http/routes.ts';
import type { ConnectionStatistics } from './connection-statistics.ts';

/** What is being edited now. */
interface Quota {
  edit: { connectionsCount: number; usersCount: { unique: number; anonymous: number } };
  view: { connectionsCount: number; usersCount: { unique: number; anonymous: number } };
}

/** `GET /info/info.json`: numbers about this node, for callers on this machine (integration API, 11.5). */
export function infoRouter(
  registry: DocumentRegistry,
  statistics: ConnectionStatistics,
  startedAt: Date,
): Router {
  const routes = new Routes({ judges: { 'own machine': ofThisMachine }, strict: true });
  routes.on('GET /info/info.json', (_request, response) => {
    response.set('Access-Control-Allow-Origin', '*').json({
      connectionsStat: statistics.spreads(Date.now()),
      licenseInfo: {
        type: LicenseResult.success,
        mode: LicenseMode.none,
        connections: 0,
        connectionsView: 0,
        hasLicense: false,
      },
      serverInfo: {
        buildVersion: protocolVersion.version,
        buildNumber: protocolVersion.build,
        date: startedAt.toISOString().slice(0, 10),
      },
      quota: quotaOf(registry),
    });
  });
  return routes.router;
}

function quotaOf(registry: DocumentRegistry): Quota {
  const editors: string[] = [];
  const viewers: string[] = [];
  for (const { document } of registry.actors()) {
    for (const member of document.members.values()) {
      (member.view ? viewers : editors).push(member.author.userId);
    }
  }
  const counted = (users: string[]) => ({
    connectionsCount: users.length,
    usersCount: { unique: new Set(users).size, anonymous: users.filter((id) => id === '').length },
  });
  return { edit: counted(editors), view: counted(viewers) };
}

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
