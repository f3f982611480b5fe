import { type Request, type Response, Router } from 'express';
import { CallbackStatus, CommandResult, ForceSaveType } from '../../client/protocol/index.ts';
import { archiveChanges } from '../../converter/change-archive.ts';
import type { Documents } from '../../db/documents.ts';
import type { Forgotten } from '../../db/forgotten.ts';
import { isDocumentKey } from '../coauthoring/document-key.ts';
import type { DocumentRegistry } from '../coauthoring/registry.ts';
import { type Config, protocolVersion } from '../config.ts';
import { editingBody } from '../lifecycle/callback-body.ts';
import type { ForceSaves } from '../lifecycle/force-saves.ts';
import type { Notices } from '../lifecycle/notices.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { ChangeLog } from '../ports/change-log.ts';
import type { Claims, Tokens } from '../tokens.ts';
import { baseUrl } from './base-url.ts';
import type { FileLinks } from './file-links.ts';

export interface CommandDependencies {
  config: Config;
  tokens: Tokens;
  documents: Documents;
  forgotten: Forgotten;
  log: ChangeLog;
  blobs: BlobStore;
  links: FileLinks;
  registry: DocumentRegistry;
  notices: Notices;
  forceSaves: ForceSaves;
  /** The newest callback address given for a document. */
  callbackUrlOf: (key: string) => Promise<string | null>;
}

type Command = (parameters: Claims, request: Request) => Promise<{ error: number } & Claims>;

const ok = { error: CommandResult.ok };
const unknownDocument = { error: CommandResult.badDocumentId };

/** Commands that name no document. */
const withoutKey = new Set(['version', 'getForgottenList']);

/**
 * The command service (integration API, section 8): `POST /command` and its old address, also as GET. Every outcome is
 * status 200 with `error`, as integrators expect.
 */
export function commandsRouter(dependencies: CommandDependencies): Router {
  const commands = commandsOf(dependencies);
  const answer = async (request: Request, response: Response): Promise<void> => {
    const parameters = await parametersOf(request, dependencies);
    if ('error' in parameters) return void response.json(parameters);
    const { c, key } = parameters.claims;
    const command = typeof c === 'string' && Object.hasOwn(commands, c) ? commands[c] : undefined;
    const keyPart = typeof key === 'string' ? { key } : {};
    if (!command) return void response.json({ ...keyPart, error: CommandResult.unknownCommand });
    if (!withoutKey.has(c as string) && !isDocumentKey(key)) {
      return void response.json({ ...keyPart, ...unknownDocument });
    }
    response.json({ ...keyPart, ...(await command(parameters.claims, request)) });
  };
  const router = Router();
  router.post(['/command', '/coauthoring/CommandService.ashx'], answer);
  router.get('/coauthoring/CommandService.ashx', answer);
  return router;
}

/** The signed parameters of a request, or with tokens off whatever it says. */
async function parametersOf(
  request: Request,
  { config, tokens }: CommandDependencies,
): Promise<{ claims: Claims } | { error: number }> {
  const given = (request.method === 'GET' ? request.query : request.body) as unknown;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return { error: CommandResult.parseError };
  }
  if (!config.jwtEnabled) return { claims: given as Claims };
  const token = await tokens.readInboxToken(given as Claims, request.headers);
  if (token.kind === 'ok') return { claims: token.claims };
  return { error: token.kind === 'expired' ? CommandResult.expiredToken : CommandResult.badToken };
}

function commandsOf(dependencies: CommandDependencies): Record<string, Command> {
  const { documents, forgotten, registry, links, config } = dependencies;
  return {
    version: async () => ({
      ...ok,
      version: `${protocolVersion.version}.${protocolVersion.build}`,
    }),

    info: async ({ key, userdata, callback }) => {
      const row = await documents.find(key as string);
      if (!row) return unknownDocument;
      const users = registry.find(row.key)?.document.editorIds() ?? [];
      const pending = ['closing', 'assembling', 'delivering'].includes(row.state);
      const url = typeof callback === 'string' ? callback : await dependencies.callbackUrlOf(row.key);
      if (url !== null && !URL.canParse(url)) return { error: CommandResult.parseError };
      if (url !== null) {
        const body =
          users.length > 0 || pending
            ? editingBody(row.key, users, null)
            : { key: row.key, status: CallbackStatus.closed };
        const echo = userdata === undefined ? {} : { userdata };
        dependencies.notices.send({ url, key: row.key, body: { ...body, ...echo } });
      }
      return { ...ok, users };
    },

    forcesave: async ({ key, userdata }) => {
      const { code } = await dependencies.forceSaves.request({
        key: key as string,
        type: ForceSaveType.command,
        initiator: null,
        userData: userdata === undefined ? null : JSON.stringify(userdata),
      });
      return { error: code };
    },

    meta: async ({ key, meta }) => {
      const actor = registry.find(key as string);
      if (!actor && !(await documents.find(key as string))) return unknownDocument;
      const { title } = (typeof meta === 'object' && meta !== null ? meta : {}) as Claims;
      if (typeof title !== 'string' || title === '') return { error: CommandResult.unknownCommand };
      actor?.document.broadcast({ type: 'meta', messages: { title } }, () => true);
      return ok;
    },

    drop: async ({ key, users }) => {
      const actor = registry.find(key as string);
      if (!actor) return (await documents.find(key as string)) ? ok : unknownDocument;
      const dropped = userList(users);
      if (dropped === 'malformed') return { error: CommandResult.parseError };
      await actor.run(async () => actor.drop(dropped));
      return ok;
    },

    getForgotten: async ({ key }, request) => {
      const row = await forgotten.find(key as string);
      if (!row) return unknownDocument;
      const base = { baseUrl: baseUrl(request, config) };
      const file =
        row.resultHash === null
          ? { hash: await storeArchive(dependencies, row), path: 'recovery.zip' }
          : { hash: row.resultHash, path: `output.${row.fileType}` };
      return { ...ok, url: links.temporary({ docKey: row.key, ...file }, base) };
    },

    getForgottenList: async () => ({ ...ok, keys: await forgotten.keys() }),

    deleteForgotten: async ({ key }) => ((await forgotten.delete(key as string)) ? ok : unknownDocument),
  };
}

/** `users` of `drop`: an array or its JSON text; absent means everybody. */
function userList(users: unknown): string[] | null | 'malformed' {
  if (users === undefined || users === null) return null;
  let list = users;
  if (typeof users === 'string') {
    try {
      list = JSON.parse(users);
    } catch {
      return 'malformed';
    }
  }
  if (!Array.isArray(list)) return 'malformed';
  return list.map(String);
}

/** Base file and change log of a document that could not be assembled, in one archive. */
async function storeArchive(
  { log, blobs, documents }: CommandDependencies,
  row: { key: string; sourceHash: string; fileType: string },
): Promise<string> {
  const document = await documents.find(row.key);
  const base = await blobs.read(row.sourceHash);
  const changes = log.read(row.key, 0, document?.nextIndex ?? 0);
  const { bytes } = await archiveChanges(changes, row.sourceHash, { [`base.${row.fileType}`]: base });
  return (await blobs.put(bytes)).hash;
}
