import { documentFile, type OpenCommand, ServiceError } from '../../client/protocol/index.ts';
import { type Picked, pickTimedOut } from '../../converter/jobs/pick.ts';
import type { ConversionQueue } from '../../jobs/jobs.ts';
import { cellKind } from '../../model/kinds.ts';
import { usualType } from '../../model/usual-type.ts';
import type { Config } from '../../platform/config.ts';
import { KeyedMutex } from '../../platform/keyed-mutex.ts';
import type { BlobStore } from '../../platform/ports/blob-store.ts';
import type { Claims, Tokens } from '../../platform/secrets/tokens.ts';
import type { ModelOpening } from '../lifecycle/opening/model-opening.ts';
import { SourceError, type SourceIntake } from '../lifecycle/opening/source-intake.ts';

export interface LinkedValuesDependencies {
  config: Pick<Config, 'jwtEnabled'>;
  tokens: Pick<Tokens, 'verifyInbox'>;
  intake: Pick<SourceIntake, 'fetchFrom' | 'recogniseAs'>;
  models: Pick<ModelOpening, 'open'>;
  queue: Pick<ConversionQueue, 'ask'>;
  blobs: Pick<BlobStore, 'put'>;
}

/** Characters of what is wanted, as JSON; the engine that reads it looks at the rest. */
const mostOfWish = 2_000_000;

/** Claims by which tokens of other kinds are known. */
const ofOtherTokens = ['document', 'version', 'payload', 'status', 'images', 'outputtype', 'outputType'];

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * Values of cells of other workbooks, for the command `linkedvalues` of spreadsheets: the integrator names the file
 * (`setReferenceData`, integration API 12.4), this server fetches and opens it as it does with documents.
 */
export class LinkedValueReader {
  readonly #deps: LinkedValuesDependencies;
  /** One of each document at a time. */
  readonly #running = new KeyedMutex();

  constructor(dependencies: LinkedValuesDependencies) {
    this.#deps = dependencies;
  }

  /**
   * The blob with what a command asks for, as JSON of `LinkedValues`.
   * @throws SourceError for a token that is wrong or missing, and for what cannot be fetched, opened or picked
   */
  async read(key: string, command: OpenCommand): Promise<string> {
    const wish = typeof command.data === 'object' ? JSON.stringify(command.data) : '';
    if (wish === '' || wish.length > mostOfWish)
      throw new SourceError(ServiceError.convertParams, 'Nothing that a workbook can be asked for');
    const file = await this.#fileOf(command);
    return this.#running.run(key, async () => {
      const { intake, models, queue, blobs } = this.#deps;
      const model = cellKind.model.name;
      const fetched = await intake.fetchFrom({ ...file, key });
      const { sourceHash, fileType } = await intake.recogniseAs(fetched, file.fileType, model);
      const opened = await models.open({ sourceHash, model, fileType, owner: { key } }, {});
      if (!opened.result.ok)
        throw new SourceError(opened.result.errorCode, 'The linked workbook cannot be opened');
      const modelHash = opened.result.files[documentFile]!;
      const { hash: wishHash } = await blobs.put(Buffer.from(wish));
      const job = { name: 'pick' as const, data: { key, model, modelHash, wishHash } };
      const picked = (await queue.ask(job).catch(() => pickTimedOut)) as Picked;
      if (!picked.ok) throw new SourceError(picked.errorCode, 'The values could not be read');
      return picked.hash;
    });
  }

  /** Where the file is: by the token alone where tokens are on. */
  async #fileOf({ url, format, tokenDownload }: OpenCommand) {
    const { config, tokens } = this.#deps;
    if (!tokenDownload && config.jwtEnabled)
      throw new SourceError(ServiceError.verificationKey, 'The file of a link needs a token');
    if (!tokenDownload) return fileAt(textOf(url), textOf(format), false);
    const verified = await tokens.verifyInbox(tokenDownload);
    if (verified.kind !== 'ok') {
      const code = verified.kind === 'expired' ? ServiceError.keyExpired : ServiceError.verificationKey;
      throw new SourceError(code, verified.reason);
    }
    const claims: Claims = verified.claims;
    if (ofOtherTokens.some((name) => claims[name] !== undefined && claims[name] !== null))
      throw new SourceError(ServiceError.verificationKey, 'The token is for something else');
    return fileAt(textOf(claims.url), textOf(claims.fileType), true);
  }
}

/** @throws SourceError for an address that is none of a file that everybody could fetch */
function fileAt(url: string, fileType: string, isVouched: boolean) {
  if (!/^https?:\/\//i.test(url) || fileType === '')
    throw new SourceError(ServiceError.convertDownload, 'No file is named');
  return { url, fileType: usualType(fileType.toLowerCase()), isVouched };
}
