import type { Request, Response, Router } from 'express';
import { CallbackStatus, CommandResult, ForceSaveType } from '../../client/protocol/index.ts';
import { archiveChanges } from '../../converter/document/change-archive.ts';
import { baseOf, baseTypeOf } from '../../converter/formats/kind-formats.ts';
import type { Documents } from '../../db/documents.ts';
import type { DroppedUsers } from '../../db/dropped-users.ts';
import type { Forgotten, ForgottenRow } from '../../db/forgotten.ts';
import type { Outbox } from '../../db/outbox.ts';
import type { Config } from '../../platform/config.ts';
import { FairTurns, type TurnLimits } from '../../platform/fair-turns.ts';
import type { BlobStore } from '../../platform/ports/blob-store.ts';
import type { ChangeLog } from '../../platform/ports/change-log.ts';
import { type Claims, signedAtS } from '../../platform/secrets/signing-key.ts';
import type { Tokens } from '../../platform/secrets/tokens.ts';
import type { DocumentRegistry } from '../coauthoring/registry.ts';
import type { AnnouncedVersion } from '../http/announced-version.ts';
import { baseUrl } from '../http/base-url.ts';
import { callerAddress } from '../http/caller.ts';
import type { FileLinks } from '../http/file-links.ts';
import type { RequestBodies } from '../http/request-bodies.ts';
import { Routes } from '../http/routes.ts';
import { routingOfDocument } from '../http/routing.ts';
import { editingBody } from '../lifecycle/callback-body.ts';
import type { ForceSaves } from '../lifecycle/force-saves.ts';
import type { Notices } from '../lifecycle/notices.ts';
import { type CommandName, type ParametersOf, readCommand } from './command-parameters.ts';
import { licenseAnswer } from './info.ts';
import { requestTokens, type SignedParameters } from './request-tokens.ts';

export interface CommandDependencies extends ForgottenFileDependencies {
  config: Config;
  bodies: RequestBodies;
  tokens: Tokens;
  documents: Documents;
  droppedUsers: Pick<DroppedUsers, 'add'>;
  forgotten: Forgotten;
  outbox: Pick<Outbox, 'veto'>;
  links: FileLinks;
  registry: DocumentRegistry;
  notices: Notices;
  forceSaves: ForceSaves;
  announced: AnnouncedVersion;
  startedAt: Date;
  /** The newest callback address given for a document. */
  callbackUrlOf: (key: string) => Promise<string | null>;
}

type Answer = { error: CommandResult } & Claims;
type Commands = {
  [Name in CommandName]: (
    parameters: ParametersOf<Name>,
    request: Request,
    saidAtS: number | null,
  ) => Promise<Answer>;
};

const ok = { error: CommandResult.ok };
const unknownDocument = { error: CommandResult.badDocumentId };

/** Commands have half of the connections to the database at most, and those of one address three quarters of these. */
function limitsBy({ databasePoolSize }: Pick<Config, 'databasePoolSize'>): TurnLimits {
  const atOnce = Math.max(2, Math.floor(databasePoolSize / 2));
  return { atOnce, atOnceOfOne: Math.floor(0.75 * atOnce), mostWaiting: 2_000, mostWaitingOfOne: 1_000 };
}

/**
 * The command service (integration API, section 8): at `/command` and its old address, by POST and by GET. Every outcome
 * is status 200 with `error`, as integrators expect; where too many wait it is 503. Addresses take turns.
 */
export function commandsRouter(dependencies: CommandDependencies): Router {
  const commands = commandsOf(dependencies);
  const turns = new FairTurns(limitsBy(dependencies.config));
  const answer = async (
    request: Request,
    response: Response,
    parameters: SignedParameters,
  ): Promise<void> => {
    if (parameters.kind !== 'ok') return void response.json({ error: errorOf[parameters.kind] });
    const { key } = parameters.claims;
    const keyPart = key === undefined ? {} : { key };
    const command = readCommand(parameters.claims);
    if ('error' in command) return void response.json({ ...keyPart, ...command });
    const run = commands[command.name] as (
      ...given: [parameters: object, request: Request, saidAtS: number | null]
    ) => Promise<Answer>;
    const said = signedAtS(parameters.claims);
    const caller = callerAddress(request, dependencies.config) ?? '';
    const running = turns.run(caller, () => run(command.parameters, request, said));
    if (running !== null) return void response.json({ ...keyPart, ...(await running) });
    response.status(503).set('Retry-After', '2').json({ error: 'too many commands wait' });
  };
  const { bodies, tokens } = dependencies;
  const routes = new Routes({ bodies, judges: { 'request token': requestTokens(tokens) } });
  routes.on('POST /command', answer).on('GET /command', answer);
  routes
    .on('POST /coauthoring/CommandService.ashx', answer)
    .on('GET /coauthoring/CommandService.ashx', answer);
  return routes.router;
}

const errorOf = {
  malformed: CommandResult.parseError,
  expired: CommandResult.expiredToken,
  invalid: CommandResult.badToken,
} as const;

/** The commands of section 8.1 of the integration API. */
const commandsOf = (dependencies: CommandDependencies): Commands => ({
  ...serverCommands(dependencies),
  ...documentCommands(dependencies),
  ...forgottenCommands(dependencies),
});

type ServerCommand = 'version' | 'license';
type ForgottenCommand = 'getForgotten' | 'getForgottenList' | 'deleteForgotten';

function serverCommands({
  registry,
  announced,
  startedAt,
}: CommandDependencies): Pick<Commands, ServerCommand> {
  return {
    version: async () => ({ ...ok, version: `${announced.version}.${announced.build}` }),

    license: async () => ({ ...ok, ...licenseAnswer(registry, announced, startedAt) }),
  };
}

function documentCommands(
  dependencies: CommandDependencies,
): Omit<Commands, ServerCommand | ForgottenCommand> {
  const { documents, droppedUsers, outbox, registry } = dependencies;
  return {
    info: async ({ key, userdata, callback }) => {
      const row = await documents.find(key);
      if (!row) return unknownDocument;
      const users = await registry.editorIdsOf(key);
      const pending = ['closing', 'assembling', 'delivering'].includes(row.state);
      const url = callback ?? (await dependencies.callbackUrlOf(key));
      if (url !== null && !URL.canParse(url)) return { error: CommandResult.parseError };
      if (url !== null) {
        const body =
          users.length > 0 || pending
            ? editingBody(key, users, null)
            : { key, status: CallbackStatus.closed };
        const echo = userdata === undefined ? {} : { userdata };
        dependencies.notices.send({ url, key, routing: row.routing, body: { ...body, ...echo } });
      }
      return { ...ok, users };
    },

    forcesave: async ({ key, userdata }) => {
      const { code } = await dependencies.forceSaves.request({
        key,
        type: ForceSaveType.command,
        initiator: null,
        userData: userdata === undefined ? null : JSON.stringify(userdata),
      });
      return { error: code };
    },

    meta: async ({ key, meta: { title, favorite } }) => {
      const found =
        typeof title === 'string' ? await documents.rename(key, title) : await documents.find(key);
      const meta = {
        ...(typeof title === 'string' && { title }),
        ...(favorite !== undefined && { favorite }),
      };
      if (!found) return unknownDocument;
      await registry.publish(key, { t: 'everybody', message: { type: 'meta', messages: meta } });
      return ok;
    },

    drop: async ({ key, users }, _request, saidAtS) => {
      if (!registry.find(key) && !(await documents.find(key))) return unknownDocument;
      // Somebody who comes while it is published finds it written.
      await droppedUsers.add(key, users ?? null, saidAtS);
      await registry.publish(key, { t: 'drop', userIds: users ?? null });
      return ok;
    },

    saved: async ({ key, status }) => {
      if (!(await documents.find(key))) return unknownDocument;
      if (status !== '1') await outbox.veto(key);
      return ok;
    },
  };
}

function forgottenCommands(dependencies: CommandDependencies): Pick<Commands, ForgottenCommand> {
  const { documents, forgotten, links, config } = dependencies;
  return {
    getForgotten: async ({ key }, request) => {
      const row = await forgotten.find(key);
      if (!row) return unknownDocument;
      const file = await forgottenFile(dependencies, row);
      const routing = routingOfDocument(key, (await documents.find(key))?.routing ?? null);
      const base = { baseUrl: baseUrl(request, config), routing };
      return { ...ok, url: links.temporary({ docKey: key, ...file, area: 'forgotten' }, base) };
    },

    getForgottenList: async () => ({ ...ok, keys: await forgotten.keys() }),

    deleteForgotten: async ({ key }) => ((await forgotten.delete(key)) ? ok : unknownDocument),
  };
}

interface ForgottenFileDependencies {
  documents: Documents;
  log: ChangeLog;
  blobs: BlobStore;
}

/**
 * The file of a forgotten document: what was assembled, else an archive of the base file and the change log, since nobody
 * here could put them together; where the changes are based on a file that was made of the source, both are in it.
 */
async function forgottenFile(
  dependencies: ForgottenFileDependencies,
  row: ForgottenRow,
): Promise<{ hash: string; path: string }> {
  if (row.resultHash !== null) return { hash: row.resultHash, path: `output.${row.fileType}` };
  const { log, blobs, documents } = dependencies;
  const document = await documents.find(row.key);
  const source = await blobs.read(row.sourceHash);
  const isBase = !document?.baseHash;
  const files = isBase
    ? { [`base.${row.fileType}`]: source }
    : {
        [`base.${baseTypeOf(document)}`]: await blobs.read(baseOf(document)),
        [`source.${row.fileType}`]: source,
      };
  const changes = log.read(row.key, 0, document?.nextIndex ?? 0);
  const { bytes } = await archiveChanges(changes, row.sourceHash, files);
  return { hash: (await blobs.put(bytes)).hash, path: 'recovery.zip' };
}
