import type { Logger } from 'pino';
import {
  type ClientMessage,
  CommandResult,
  DisconnectCode,
  ForceSaveType,
  LicenseMode,
  LicenseResult,
  LicenseRights,
  type OpenCommand,
  ServiceError,
} from '../../client/protocol/index.ts';
import type { Documents } from '../../db/documents.ts';
import type { Media } from '../../db/media.ts';
import type { OpenedSource } from '../../db/opened-sources.ts';
import { type Config, protocolVersion } from '../config.ts';
import type { FileLinks } from '../integration/file-links.ts';
import { type FetchedPicture, PicturesRefused, type RemotePictures } from '../integration/remote-pictures.ts';
import type { ForceSaves } from '../lifecycle/force-saves.ts';
import type { Opening } from '../lifecycle/opening.ts';
import type { Claims, Tokens } from '../tokens.ts';
import { signSessionToken } from './auth/session-token.ts';
import { isEditor } from './document/member.ts';
import { send } from './document/open-document.ts';
import type { Connection, ConnectionHandler } from './gateway/connection.ts';
import type { HandshakeResult } from './gateway/gatekeeper.ts';
import type { DocumentRegistry } from './registry.ts';
import { type ForeignModel, modelOf, type SignedIn, type SignIn } from './sign-in.ts';

/** So many addresses are given in one answer. */
const maxPathUrls = 1_000;

export interface CoauthoringDependencies {
  config: Config;
  tokens: Tokens;
  documents: Documents;
  media: Media;
  registry: DocumentRegistry;
  signIn: SignIn;
  opening: Opening;
  remotePictures: RemotePictures;
  forceSaves: ForceSaves;
  links: FileLinks;
  /** The form in which editors that name no model of ours get documents. */
  foreignModel: ForeignModel;
  log: Logger;
  onMessage: (type: string) => void;
}

/** The co-authoring service: what connections say, from the handshake to their end. */
export class Coauthoring implements ConnectionHandler {
  readonly #deps: CoauthoringDependencies;
  readonly #signedIn = new Map<Connection, SignedIn>();
  readonly #connections = new Set<Connection>();
  #stopping = false;

  constructor(dependencies: CoauthoringDependencies) {
    this.#deps = dependencies;
  }

  /**
   * Ends every connection so that its client comes back, to this server after its restart or to another one. Nobody
   * is taken to have left: the documents stay as they are for those who return.
   */
  stop(): void {
    this.#stopping = true;
    for (const connection of this.#connections) connection.interrupt('server shutdown');
  }

  /** Resolves when every document has done what had reached it. */
  async settled(): Promise<void> {
    await Promise.all([...this.#deps.registry.actors()].map((actor) => actor.run(async () => undefined)));
  }

  /**
   * The token of a handshake (co-authoring protocol, 2.4): a session token before an integrator's. It must be right if
   * tokens are on or if there is one.
   */
  async verifyHandshake(auth: unknown): Promise<HandshakeResult> {
    const { config, tokens } = this.#deps;
    const given = (typeof auth === 'object' && auth !== null ? auth : {}) as Claims;
    const token = given.session || given.token;
    if (!config.jwtEnabled && !token) return { ok: true };
    const verified = given.session
      ? await tokens.verifySession(token)
      : await tokens.verifyInbox(token || undefined);
    if (verified.kind === 'ok') return { ok: true };
    return { ok: false, code: verified.code, description: `token:${verified.reason}` };
  }

  /** Says what this server is; browsers wait for it before they sign in. */
  greet(connection: Connection): void {
    this.#connections.add(connection);
    connection.say({
      type: 'license',
      license: {
        type: LicenseResult.success,
        light: false,
        mode: LicenseMode.none,
        rights: LicenseRights.edit,
        buildVersion: protocolVersion.version,
        buildNumber: protocolVersion.build,
        protectionSupport: false,
        isAnonymousSupport: true,
        liveViewerSupport: true,
        branding: false,
        customization: false,
        advancedApi: false,
      },
    });
  }

  handleAside(connection: Connection, message: ClientMessage): boolean {
    if (message.type !== 'cursor') return false;
    const signedIn = this.#signedIn.get(connection);
    if (signedIn?.member.state !== 'active') return false;
    this.#deps.onMessage('cursor');
    signedIn.actor.showCursor(signedIn.member, message.cursor);
    return true;
  }

  async handle(connection: Connection, message: ClientMessage): Promise<void> {
    this.#deps.onMessage(message.type);
    const signedIn = this.#signedIn.get(connection);
    if (!signedIn) return this.#handleStranger(connection, message);
    const { actor, member } = signedIn;
    switch (message.type) {
      case 'auth':
        // Some clients sign in twice on one connection: they are told once more.
        if (signedIn.joining && member.state !== 'waiting') {
          const { joining } = signedIn;
          await actor.run(() => actor.greet(joining));
        }
        return;
      case 'close':
        return this.#close(connection, signedIn);
      case 'openDocument':
        this.#open(connection, signedIn, message.message);
        return;
      case 'forceSaveStart':
        return this.#forceSave(signedIn);
      case 'clientLog':
        this.#deps.log.info(
          { documentKey: actor.document.key, level: message.level, text: message.msg?.slice(0, 1_000) },
          'A client logged',
        );
        return;
      default:
        return actor.run(() => actor.handle(member, message));
    }
  }

  async disconnected(connection: Connection): Promise<void> {
    this.#connections.delete(connection);
    const signedIn = this.#signedIn.get(connection);
    if (!signedIn || this.#stopping) return;
    this.#signedIn.delete(connection);
    const { actor, member } = signedIn;
    if (actor.document.members.get(connection.id) === member) {
      await actor.run(() => actor.leave(member, false));
    }
    this.#deps.registry.maybeDrop(actor.document.key);
  }

  failed(connection: Connection, error: unknown): void {
    const documentKey = this.#signedIn.get(connection)?.actor.document.key;
    this.#deps.log.error({ err: error, connectionId: connection.id, documentKey }, 'A connection failed');
  }

  async #handleStranger(connection: Connection, message: ClientMessage): Promise<void> {
    switch (message.type) {
      case 'auth': {
        const result = await this.#deps.signIn.signIn(connection, message);
        if (!result) return;
        this.#signedIn.set(connection, result.signedIn);
        if (result.openCmd) this.#open(connection, result.signedIn, result.openCmd);
        return;
      }
      case 'getLock':
      case 'isSaveLock':
      case 'saveChanges':
        connection.dismiss(DisconnectCode.accessDeny, 'access deny');
        return;
      case 'forceSaveStart':
        connection.say({ type: 'forceSaveStart', messages: { code: CommandResult.unknownError } });
        return;
      default:
        return;
    }
  }

  /** The save button. The answer goes out before anything can be said of the save's end. */
  #forceSave({ actor, member }: SignedIn): Promise<void> {
    const { forceSaves, log } = this.#deps;
    const { key } = actor.document;
    return actor.run(async () => {
      if (!isEditor(member) || member.state !== 'active') {
        send(member, { type: 'forceSaveStart', messages: { code: CommandResult.unknownError } });
        return;
      }
      try {
        const { code, timeMs, inProgress } = await forceSaves.request({
          key,
          type: ForceSaveType.button,
          initiator: member.visitor,
          userData: null,
        });
        send(member, { type: 'forceSaveStart', messages: { code, time: timeMs, inProgress } });
      } catch (error) {
        log.error({ err: error, documentKey: key }, 'A forced save could not be asked for');
        send(member, { type: 'forceSaveStart', messages: { code: CommandResult.unknownError } });
      }
    });
  }

  /** A client leaves co-editing and keeps its connection for downloads. */
  async #close(connection: Connection, { actor, member, permissions }: SignedIn): Promise<void> {
    const wasClosed = member.state === 'closed';
    await actor.run(() => actor.leave(member, true));
    if (wasClosed) return;
    const token = await signSessionToken(this.#deps.tokens, actor.document.key, member, permissions);
    connection.say({ type: 'refreshToken', messages: token });
  }

  /** Answers an open command when there is an answer. Opening may take long, so it holds up nothing else. */
  #open(connection: Connection, signedIn: SignedIn, command: OpenCommand): void {
    const answer = (status: string, data: unknown) =>
      connection.say({ type: 'documentOpen', data: { type: command.c, status, data } });
    if (command.c === 'pathurls') {
      this.#pathUrls(connection, signedIn, command).then(
        (urls) => answer('ok', urls),
        (error: unknown) => {
          this.failed(connection, error);
          answer('err', ServiceError.unknown);
        },
      );
      return;
    }
    if (command.c === 'imgurls') {
      this.#addPictures(connection, signedIn, command).then(
        (urls) => answer('ok', { error: ServiceError.ok, urls }),
        (error: unknown) => {
          if (error instanceof PicturesRefused) return answer('err', error.errorCode);
          this.failed(connection, error);
          answer('err', ServiceError.unknown);
        },
      );
      return;
    }
    if (command.c !== 'open' && command.c !== 'reopen') {
      answer('err', ServiceError.unknown);
      return;
    }
    this.#openFiles(signedIn, command).then(
      (opened) => {
        if (!opened.ok) {
          const needsPassword =
            opened.errorCode === ServiceError.convertPasswordRequired ||
            opened.errorCode === ServiceError.convertWrongPassword;
          answer(needsPassword ? 'needpassword' : 'err', opened.errorCode);
          return;
        }
        answer(signedIn.usedUp ? 'updateversion' : 'ok', this.#linksTo(opened.files, connection, signedIn));
      },
      (error: unknown) => {
        this.failed(connection, error);
        answer('err', ServiceError.unknown);
      },
    );
  }

  async #openFiles(signedIn: SignedIn, command: OpenCommand): Promise<OpenedSource> {
    const { documents, media, opening } = this.#deps;
    const { actor, vouched } = signedIn;
    const { document } = actor;
    const row = await documents.find(document.key);
    if (!row) return { ok: false, errorCode: ServiceError.unknown };
    const opened = await opening.filesOf({
      row,
      model: row.model ?? modelOf(command, this.#deps.foreignModel),
      // With tokens on, an address counts only if a token gave it when the document was entered.
      fallbackUrl: vouched ? null : (command.url ?? null),
      opened: async (result) => {
        await actor.run(async () => {
          const editorsPresent = document.editors().length > 0;
          const opened = await documents.opened(document.key, { ...result, editorsPresent });
          if (opened) document.open = opened.state === 'open';
        });
      },
    });
    // Pictures that editors have put in since, under the paths by which the changes name them.
    return opened.ok ? { ok: true, files: { ...(await media.of(document.key)), ...opened.files } } : opened;
  }

  /** Addresses of files of the document by their paths, in the order asked for; an empty one for what it has not. */
  async #pathUrls(connection: Connection, signedIn: SignedIn, command: OpenCommand): Promise<string[]> {
    const paths = Array.isArray(command.data) ? command.data.slice(0, maxPathUrls).map(String) : [];
    const opened = await this.#openFiles(signedIn, command);
    const links = opened.ok ? this.#linksTo(opened.files, connection, signedIn) : {};
    return paths.map((path) => links[path] ?? '');
  }

  /** Pictures by address, put beside the document; one that cannot be had says why in a field of its own. */
  async #addPictures(connection: Connection, signedIn: SignedIn, command: OpenCommand) {
    const { key, open } = signedIn.actor.document;
    if (!isEditor(signedIn.member) || !open) {
      throw new PicturesRefused(ServiceError.upload, 'Only editors put pictures into a document');
    }
    const pictures = await this.#deps.remotePictures.add(key, command);
    const linked = (picture: FetchedPicture) => {
      if ('errorCode' in picture) return { url: 'error', path: 'error', errorCode: picture.errorCode };
      const { path, hash } = picture;
      return { url: this.#linksTo({ [path]: hash }, connection, signedIn)[path], path };
    };
    return pictures.map(linked);
  }

  #linksTo(files: Readonly<Record<string, string>>, connection: Connection, { actor }: SignedIn) {
    const { links } = this.#deps;
    const { key } = actor.document;
    const base = {
      baseUrl: connection.handshake.baseUrl,
      routing: { name: 'shardkey' as const, value: key },
    };
    return Object.fromEntries(
      Object.entries(files).map(([path, hash]) => [
        path,
        links.session({ docKey: key, hash, path }, base, 0),
      ]),
    );
  }
}
