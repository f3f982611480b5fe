import path from 'node:path';
import { type DocumentOpen, type OpenCommand, ServiceError } from '../../client/protocol/index.ts';
import { QuireError } from '../../platform/quire-error.ts';
import { SourceError } from '../lifecycle/opening/source-intake.ts';
import { type CommandName, commandRights, isCommand } from './document/rights/command-rights.ts';
import { allHold } from './document/rights/standing.ts';
import { type DocumentFiles, pathsOf } from './document-files.ts';
import { type FetchedPicture, PicturesRefused, type RemotePictures } from './document-pictures.ts';
import type { Connection } from './gateway/connection.ts';
import type { LinkedValueReader } from './linked-values.ts';
import type { FoundDocument, SignedIn } from './sign-in/sign-in-attempt.ts';

export interface OpenCommandsDependencies {
  files: DocumentFiles;
  remotePictures: RemotePictures;
  linkedValues: Pick<LinkedValueReader, 'read'>;
  /** Gives a user another name on all connections of a document; false where it may not be changed. */
  rename: (signedIn: SignedIn, name: string) => Promise<boolean>;
  /** Gives somebody a session token that says what has become known of them. */
  refreshToken: (connection: Connection, signedIn: SignedIn) => Promise<void>;
  /** Hears why a command was refused, which its client is told as a number. */
  refused: (connection: Connection, error: QuireError) => void;
  failed: (connection: Connection, error: unknown) => void;
}

/** What a command is answered with, beside its name. */
type Answer = Omit<DocumentOpen['data'], 'type'>;

const error = (errorCode: number): Answer => ({ status: 'err', data: errorCode });

/** A command is not for who asks, or not now. */
class CommandRefused extends QuireError {
  readonly serviceError: ServiceError;

  constructor(command: CommandName, serviceError: ServiceError) {
    super('command-refused', `The command ${command} is not for who asked for it`, { level: 'info' });
    this.serviceError = serviceError;
  }
}

/**
 * What clients have done to the file of their document: `auth.openCmd` and `openDocument` (co-authoring protocol, 9). A
 * command may take long and does not delay anything else; each gets one answer.
 */
export class OpenCommands {
  readonly #deps: OpenCommandsDependencies;

  constructor(dependencies: OpenCommandsDependencies) {
    this.#deps = dependencies;
  }

  /** Resolves when the command was answered. `found`: the document as the sign-in that brought the command has just found it. */
  run(
    connection: Connection,
    signedIn: SignedIn,
    command: OpenCommand,
    found?: FoundDocument,
  ): Promise<void> {
    const answer = (data: Answer) =>
      connection.say({ type: 'documentOpen', data: { type: command.c, ...data } });
    return this.#answerTo(connection, signedIn, command, found).then(answer, (failure: unknown) => {
      if (
        failure instanceof CommandRefused ||
        failure instanceof PicturesRefused ||
        failure instanceof SourceError
      ) {
        this.#deps.refused(connection, failure);
        return answer(error(failure.serviceError));
      }
      this.#deps.failed(connection, failure);
      answer(error(ServiceError.unknown));
    });
  }

  async #answerTo(
    connection: Connection,
    signedIn: SignedIn,
    command: OpenCommand,
    found: FoundDocument | undefined,
  ): Promise<Answer> {
    const { files, rename } = this.#deps;
    const { c } = command;
    if (!isCommand(c)) return error(ServiceError.unknown);
    const { needs, refusal } = commandRights[c];
    const { actor, member } = signedIn;
    if (!allHold(needs, { member, document: actor.document }))
      throw new CommandRefused(c, refusal ?? ServiceError.unknown);
    switch (c) {
      case 'open':
      case 'reopen':
        return this.#opened(connection, signedIn, command, found);
      case 'pathurls':
        return {
          status: 'ok',
          data: await files.addressesOf(connection, signedIn, pathsOf(command.data)),
        };
      case 'pathurl': {
        const wanted = typeof command.data === 'string' ? command.data : '';
        const [address] = await files.addressesOf(connection, signedIn, [wanted]);
        if (!address) return error(ServiceError.storageNotFound);
        return { status: 'ok', data: address, filetype: path.extname(command.title || wanted).slice(1) };
      }
      case 'imgurl':
      case 'imgurls':
        return {
          status: 'ok',
          data: { error: ServiceError.ok, urls: await this.#addPictures(connection, signedIn, command) },
        };
      case 'linkedvalues':
        return { status: 'ok', data: await this.#linkedValues(connection, signedIn, command) };
      case 'changedocinfo':
        return (await rename(signedIn, command.username ?? ''))
          ? { status: 'ok' }
          : error(ServiceError.changeDocInfo);
      case 'setpassword':
        return error(ServiceError.password);
    }
  }

  async #opened(
    connection: Connection,
    signedIn: SignedIn,
    command: OpenCommand,
    found: FoundDocument | undefined,
  ): Promise<Answer> {
    const { files, refreshToken } = this.#deps;
    const { key } = signedIn.actor.document;
    const knewPassword = signedIn.member.knowsPassword;
    // How plain text is to be read is said once, for everybody who was asked; everybody gives the password for
    // themselves.
    const isForAll = command.c === 'reopen' && !command.password;
    const opened = await files.open(signedIn, command, {
      found,
      whenFirst: (first) => isForAll && files.sendToOthers(signedIn, first),
      // Other editors do not know the message.
      onProgress: command.model ? (stage) => connection.say({ type: 'quireOpening', ...stage }) : undefined,
    });
    if (!opened.ok) {
      const { errorCode, origin } = opened;
      if (errorCode === ServiceError.convertNeedParams && origin) {
        const name = `origin.${origin.fileType}`;
        return { status: 'needparams', data: files.linksTo({ [name]: origin.hash }, connection, key)[name] };
      }
      const needsPassword =
        errorCode === ServiceError.convertPasswordRequired || errorCode === ServiceError.convertWrongPassword;
      return { status: needsPassword ? 'needpassword' : 'err', data: errorCode };
    }
    if (!knewPassword && signedIn.member.knowsPassword) await refreshToken(connection, signedIn);
    const links = files.linksTo(opened.files, connection, key);
    const text = await files.textOf(opened.files, command);
    return { status: signedIn.usedUp ? 'updateversion' : 'ok', data: links, text };
  }

  /** A link to what of another workbook an editor of this one asks for. */
  async #linkedValues(connection: Connection, signedIn: SignedIn, command: OpenCommand) {
    const { files, linkedValues } = this.#deps;
    const { key } = signedIn.actor.document;
    const name = 'linked-values.json';
    return files.linksTo({ [name]: await linkedValues.read(key, command) }, connection, key)[name]!;
  }

  /** Pictures by address, put beside the document; one that cannot be had says why in a field of its own. */
  async #addPictures(connection: Connection, signedIn: SignedIn, command: OpenCommand) {
    const { files, remotePictures } = this.#deps;
    const { actor, member } = signedIn;
    const { key } = actor.document;
    const data = typeof command.data === 'string' ? [command.data] : command.data;
    const pictures = await remotePictures.add(key, { ...command, data }, member.author.userId);
    return pictures.map((picture: FetchedPicture) => {
      if ('errorCode' in picture) return { url: 'error', path: 'error', errorCode: picture.errorCode };
      const { path: place, hash } = picture;
      return { url: files.linksTo({ [place]: hash }, connection, key)[place], path: place };
    });
  }
}
