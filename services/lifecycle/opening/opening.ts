import { createHash, timingSafeEqual } from 'node:crypto';
import type { Logger } from 'pino';
import { ServiceError } from '../../../client/protocol/index.ts';
import {
  type OpeningOptions,
  type SealedOptions,
  sealOptions,
  unsealOptions,
} from '../../../converter/jobs/opening-options.ts';
import type { DocumentRow } from '../../../db/document-row.ts';
import type { Documents, SourceVersion } from '../../../db/documents.ts';
import type { OpenedSource } from '../../../db/opened-sources.ts';
import { QueueFullError } from '../../../jobs/jobs.ts';
import { kinds } from '../../../model/kinds.ts';
import type { OpeningOutcome } from '../../../platform/metrics/lifecycle.ts';
import { BlobStoreUnavailableError } from '../../../platform/ports/blob-store.ts';
import { errorLevel } from '../../../platform/quire-error.ts';
import type { Sealing } from '../../../platform/secrets/sealing.ts';
import { traced } from '../../../platform/tracing.ts';
import { asked, type DocumentOwner, type ModelOpening, type OpenedModel, saysMore } from './model-opening.ts';
import type { OpeningListener, OpeningProgress } from './opening-progress.ts';
import { type Source, SourceError, type SourceIntake, type WantedIntake } from './source-intake.ts';

export interface OpeningDependencies {
  documents: Documents;
  intake: Pick<SourceIntake, 'fetch' | 'recognise'>;
  models: Pick<ModelOpening, 'open' | 'openWith'>;
  sealing: Sealing;
  progress: Pick<OpeningProgress, 'during'>;
  log: Logger;
  /** Hears how each opening ended; a document is `known` that was opened before. */
  onOpened: (outcome: OpeningOutcome, document: 'new' | 'known', elapsedMs: number) => void;
}

/** What is wanted opened, and how far its address can be trusted. */
export interface OpeningRequest extends WantedIntake {
  /** What the person who opens it says of a source that does not say enough itself. */
  parameters?: OpeningOptions;
  /** Who asks, by the id that a token signed; empty where none did. */
  person?: string;
  /** The person who asks has given the document's password before. */
  knowsPassword?: boolean;
  /** Whether the editor of the person who opens it is one for files of a type. Asked before the source is opened. */
  isFor: (fileType: string) => boolean;
  /** Hears how far it is, if that takes a while. */
  onProgress?: OpeningListener | undefined;
  /**
   * Records that the source is opened, in line with the document's other messages. Resolves with the document as it is
   * where another node was faster, else with null.
   */
  opened: (result: {
    sourceHash: string;
    model: string;
    fileType: string;
    version: SourceVersion;
    options: SealedOptions;
    baseHash: string | null;
  }) => Promise<DocumentRow | null>;
}

const ownerIn = ({ row, person = '' }: OpeningRequest): DocumentOwner => ({ key: row.key, person });

/**
 * Opens documents. The stages of a first opening, in their order: claim it, fetch the source, recognise it, check the
 * editor against its type, make the base of its kind and open the model, publish. Everybody who opens a document meanwhile waits for the same opening; the same content
 * is converted once. What was opened before goes on with the base and the version of the model that its log was made on.
 */
export class Opening {
  readonly #deps: OpeningDependencies;
  readonly #running = new Map<string, Promise<OpenedSource>>();

  constructor(dependencies: OpeningDependencies) {
    this.#deps = dependencies;
  }

  /** The files of a document, once it is opened, or the number of what went wrong. */
  async filesOf(request: OpeningRequest): Promise<OpenedSource> {
    const startedAt = performance.now();
    const { key, state } = request.row;
    const document = state === 'opening' ? 'new' : 'known';
    const opened = await traced('opening', { 'quire.document': key, 'quire.opening': document }, () =>
      this.#deps.progress.during(key, request.onProgress, () => this.#claim(request)),
    );
    this.#deps.onOpened(outcomeOf(opened), document, performance.now() - startedAt);
    return opened;
  }

  /** The first who comes opens the source. The others wait, and are given what there is then. */
  async #claim(request: OpeningRequest): Promise<OpenedSource> {
    const running = this.#running.get(request.row.key);
    if (running === undefined) return this.#begin(request);
    const outcome = await running;
    // Somebody with another kind of editor was first, and has opened nothing.
    if (outcome === wrongEditor) return this.#claim(request);
    const row = await this.#deps.documents.find(request.row.key);
    // What somebody else's password opens is not for everybody who waits.
    return row && row.state !== 'opening' ? this.#begin({ ...request, row }) : outcome;
  }

  async #begin(request: OpeningRequest): Promise<OpenedSource> {
    const { key, state } = request.row;
    const row = state === 'opening' ? request.row : await this.#claimAgain(request);
    if (row === null) return this.#openedBefore(request);
    const opening = this.#firstOpening({ ...request, row }).finally(() => this.#running.delete(key));
    this.#running.set(key, opening);
    return opening;
  }

  /** A document that asked for more is opened again by somebody who says more; null: there is nothing to be opened again. */
  async #claimAgain({ row, parameters = {} }: OpeningRequest): Promise<DocumentRow | null> {
    if (row.state !== 'failed' || !saysMore(parameters)) return null;
    return this.#deps.documents.openAgain(row.key, asked);
  }

  async #firstOpening(request: OpeningRequest): Promise<OpenedSource> {
    const { intake, models } = this.#deps;
    const { row, model, parameters = {} } = request;
    try {
      const file = await intake.fetch(request);
      const source = await intake.recognise(file, request);
      const { sourceHash, fileType } = source;
      if (!request.isFor(fileType)) return wrongEditor;
      const owner = ownerIn(request);
      const opened = await models.open({ sourceHash, model, fileType, owner }, parameters);
      return opened.result.ok
        ? await this.#publish(request, source, opened)
        : await this.#publishRefusal(row, source, opened.result.errorCode);
    } catch (error) {
      return this.#publishFailure(row, error);
    }
  }

  /** Records that the source is opened. Where another node was faster, its base is the one that is edited. */
  async #publish(
    request: OpeningRequest,
    { sourceHash, fileType, version }: Source,
    { result, baseHash, options }: OpenedModel & { options: OpeningOptions },
  ): Promise<OpenedSource> {
    const sealed = sealOptions(this.#deps.sealing, options);
    const { model } = request;
    const now = await request.opened({ sourceHash, model, fileType, version, options: sealed, baseHash });
    if (now?.state === 'failed') return failedBefore(now);
    const isOther = now !== null && now.state !== 'opening' && now.baseHash !== baseHash;
    return isOther ? this.#openedBefore({ ...request, row: now }) : result;
  }

  /** The source is kept where it only asks for more. */
  async #publishRefusal(
    { key }: DocumentRow,
    { sourceHash, fileType }: Source,
    errorCode: number,
  ): Promise<OpenedSource> {
    const isAsked = asked.includes(errorCode);
    await this.#deps.documents.openingFailed(key, errorCode, isAsked ? { sourceHash, fileType } : null);
    return isAsked
      ? { ok: false, errorCode, origin: { hash: sourceHash, fileType } }
      : { ok: false, errorCode };
  }

  async #publishFailure({ key }: DocumentRow, error: unknown): Promise<OpenedSource> {
    const errorCode = errorCodeOf(error);
    this.#deps.log[errorLevel(error)]({ err: error, documentKey: key }, 'A source could not be opened');
    await this.#deps.documents.openingFailed(key, errorCode);
    return { ok: false, errorCode };
  }

  /**
   * The files of a document that is open, or was, in its version of the model and on its base, for somebody who may see
   * it.
   */
  async #openedBefore(request: OpeningRequest): Promise<OpenedSource> {
    const { row, model: wanted } = request;
    const { documents, models } = this.#deps;
    if (row.sourceHash === null || row.model === null) return failedBefore(row);
    if (!kinds.knows(row.model)) return { ok: false, errorCode: ServiceError.convertUnknownFormat };
    const options = this.#optionsFor(request);
    if ('errorCode' in options) return options;
    // Pages have no changes: a client that wants the document in another form gets that.
    const model = row.model === 'pages' ? wanted : row.model;
    const version = await this.#versionOf(row);
    const { key, sourceHash, fileType } = row;
    const source = { sourceHash, model, fileType, version, owner: ownerIn(request) };
    const opened = await models.openWith(source, options, row.baseHash);
    if (!opened.result.ok || opened.baseHash === null || opened.baseHash === row.baseHash) {
      return opened.result;
    }
    const baseHash = await documents.settleBase(key, sourceHash, opened.baseHash);
    return baseHash === null || baseHash === opened.baseHash
      ? opened.result
      : (await models.openWith(source, options, baseHash)).result;
  }

  /** What the document was opened with, for somebody who knows its password; else why they do not get it. */
  #optionsFor({
    row,
    parameters,
    knowsPassword,
  }: OpeningRequest): OpeningOptions | { ok: false; errorCode: number } {
    const options = unsealOptions(this.#deps.sealing, row.openingOptions);
    if (!options) return { ok: false, errorCode: ServiceError.convert };
    const { password } = options;
    if (password === undefined || knowsPassword || isSame(password, parameters?.password)) return options;
    return { ok: false, errorCode: passwordErrorOf(parameters) };
  }

  /** The earlier version of the model that a document goes on with, as its log was made on that. */
  async #versionOf({ key, model, modelVersion, nextIndex }: DocumentRow): Promise<number | undefined> {
    if (model === null || modelVersion === null || modelVersion === kinds.versionOf(model)) return undefined;
    const isRenewed = nextIndex === 0 && (await this.#deps.documents.changeModel(key, model)) !== null;
    return isRenewed ? undefined : modelVersion;
  }
}

/** The person who opens a document has an editor for another kind of files. */
const wrongEditor: OpenedSource = { ok: false, errorCode: ServiceError.editorChanges };

function outcomeOf(opened: OpenedSource): OpeningOutcome {
  if (opened.ok) return 'opened';
  return asked.includes(opened.errorCode) ? 'asks' : 'failed';
}

function failedBefore({ errorCode, sourceHash, fileType }: DocumentRow): OpenedSource {
  const failed = { ok: false as const, errorCode: errorCode ?? ServiceError.unknown };
  const isAsked = sourceHash !== null && asked.includes(failed.errorCode);
  return isAsked ? { ...failed, origin: { hash: sourceHash, fileType } } : failed;
}

const passwordErrorOf = (parameters: OpeningOptions | undefined): number =>
  parameters?.password === undefined
    ? ServiceError.convertPasswordRequired
    : ServiceError.convertWrongPassword;

/** Compares without telling by its time how much is right. */
function isSame(expected: string, given: string | undefined): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return given !== undefined && timingSafeEqual(digest(expected), digest(given));
}

function errorCodeOf(error: unknown): number {
  if (error instanceof SourceError) return error.serviceError;
  if (error instanceof QueueFullError) return ServiceError.taskQueue;
  return error instanceof BlobStoreUnavailableError ? ServiceError.storage : ServiceError.unknown;
}
