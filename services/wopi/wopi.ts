import path from 'node:path';
import type { Router } from 'express';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { ServiceError } from '../../client/protocol/index.ts';
import type { Documents } from '../../db/documents.ts';
import { SecretRecords } from '../../db/secret-records.ts';
import { WopiFiles } from '../../db/wopi-files.ts';
import { WopiSessions } from '../../db/wopi-sessions.ts';
import type { Config } from '../../platform/config.ts';
import type { HttpClient } from '../../platform/outgoing/http-client.ts';
import type { BlobStore } from '../../platform/ports/blob-store.ts';
import type { Sealing } from '../../platform/secrets/sealing.ts';
import { fileOfSecrets, recordOfSecrets, type SecretPlace } from '../../platform/secrets/secret-place.ts';
import type { Tokens } from '../../platform/secrets/tokens.ts';
import type { FileLinks } from '../http/file-links.ts';
import type { RequestBodies } from '../http/request-bodies.ts';
import { servedFormats } from '../integration/editor-formats.ts';
import type { HostStorage } from '../lifecycle/host-storage.ts';
import { BlankFiles } from './blank-files.ts';
import { ConvertAndEdit } from './convert-and-edit.ts';
import { convertToRouter, type FileConverter } from './convert-to.ts';
import { discoveryRouter } from './discovery.ts';
import { GetFile } from './get-file.ts';
import { HostClient, HostRules } from './host-client.ts';
import { hostPageRouter, refreshPage } from './host-page.ts';
import { Locks } from './locks.ts';
import { pageRequestsRouter } from './page-requests.ts';
import { PageShell } from './page-shell.ts';
import { ProofKeys } from './proof-keys.ts';
import { PutFile } from './put-file.ts';
import { WopiStorage } from './storage.ts';
import { WopiHost } from './wopi-host.ts';

export interface WopiDependencies {
  config: Config;
  pool: pg.Pool;
  documents: Documents;
  http: HttpClient;
  tokens: Tokens;
  /** This process' own. */
  workDirectory: string;
  blobs: BlobStore;
  links: FileLinks;
  sealing: Sealing;
  bodies: RequestBodies;
  converter: FileConverter;
  /** Where x2t is, if it is. */
  x2tDirectory: string | null;
  /** Editors of others are served in the place of ours. */
  hasOtherEditors: boolean;
  /** Warns everybody inside a document. */
  warn: (key: string, message: string, code?: ServiceError) => void;
  /** Sends everybody in a document its new title. */
  announceTitle: (key: string, title: string) => void;
  faultPoint: (name: string) => void;
  log: Logger;
}

/** WOPI: this server as the client of hosts that own the files (integration API, section 13). */
export interface Wopi {
  storage: HostStorage;
  /** They read their bodies themselves. */
  routers: readonly Router[];
  locks: Pick<Locks, 'start' | 'stop'>;
}

/** The file of a server that has its database to itself. */
export const proofKeysFile = ({
  wopiProofKeysFile,
  dataDir,
}: Pick<Config, 'wopiProofKeysFile' | 'dataDir'>): string =>
  wopiProofKeysFile ?? path.join(dataDir, 'wopi-proof-keys.json');

/** Where the keys are that requests to hosts are signed with: a file, or the database that nodes share. */
export function placeOfProofKeys(
  { wopiProofKeysFile, dataDir }: Pick<Config, 'wopiProofKeysFile' | 'dataDir'>,
  records: SecretRecords | null,
): SecretPlace {
  const file = proofKeysFile({ wopiProofKeysFile, dataDir });
  if (wopiProofKeysFile !== undefined || !records) return fileOfSecrets(file);
  return recordOfSecrets(records, 'wopi-proof-keys', file);
}

/** Puts the parts of WOPI together. @throws ConfigError when the file of the keys is damaged */
export async function openWopi(dependencies: WopiDependencies): Promise<Wopi> {
  const { config, pool, http, blobs, warn, converter, hasOtherEditors, log } = dependencies;
  const keys = await ProofKeys.load(
    placeOfProofKeys(config, config.databaseUrl ? new SecretRecords(pool) : null),
  );
  const files = new WopiFiles(pool);
  const sessions = new WopiSessions(pool, dependencies.sealing);
  const rules = new HostRules(config);
  const client = new HostClient(http, keys, rules);
  const host = new WopiHost(client, log);
  const blanks = new BlankFiles(dependencies.x2tDirectory);
  const { workDirectory } = dependencies;
  const getFile = new GetFile({ config, workDirectory, http, client, blanks, log });
  const locks = new Locks({ files, sessions, host, refreshMs: config.wopiLockRefreshMs, warn, log });
  const putFile = new PutFile({
    documents: dependencies.documents,
    files,
    sessions,
    host,
    locks,
    getFile,
    blobs,
    timeoutMs: config.callbackTimeoutMs,
    warn,
    faultPoint: dependencies.faultPoint,
    log,
  });
  const formats = () =>
    servedFormats({
      ...{ hasOtherEditors, blanks: blanks.extensions, conversions: converter.table },
      assemblyFormatAsOrigin: config.assemblyFormatAsOrigin,
    });
  const opening = { ...dependencies, keys, files, sessions, host, rules, locks, blanks, getFile, formats };
  const storage = new WopiStorage({
    ...{ ...opening, putFile },
    reopenPage: (session, wish) => refreshPage(opening, session, wish),
  });
  const parts = { ...opening, storage };
  const shell = new PageShell();
  return {
    storage,
    locks,
    routers: [
      discoveryRouter(parts),
      new ConvertAndEdit({ ...parts, shell }).router,
      pageRequestsRouter(parts),
      hostPageRouter({ ...parts, shell }),
      convertToRouter(parts),
    ],
  };
}
