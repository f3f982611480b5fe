import { documentFile, ServiceError } from '../../client/protocol/index.ts';
import { canProtect } from '../../converter/engines/x2t/conversion.ts';
import { codePageOf } from '../../converter/engines/x2t/encodings.ts';
import {
  type ConversionOptions,
  type ConversionOutcome,
  editorForms,
  isPages,
} from '../../converter/formats/conversion.ts';
import type { ConversionTable } from '../../converter/formats/conversion-table.ts';
import { typeOfSaved } from '../../converter/formats/formats.ts';
import { baseTypeOf } from '../../converter/formats/kind-formats.ts';
import { unsealOptions } from '../../converter/jobs/opening-options.ts';
import type { DocumentRow } from '../../db/document-row.ts';
import type { Media } from '../../db/media.ts';
import type { OpenedSources } from '../../db/opened-sources.ts';
import { QueueFullError } from '../../jobs/jobs.ts';
import type { Sealing } from '../../platform/secrets/sealing.ts';
import type { Conversions } from './conversions.ts';
import type { Copies } from './copies.ts';
import type { SentFile } from './sent-files.ts';
import { titledFile } from './titled-file.ts';

/** What somebody wants of a document: its file as it is now, as it was opened, or what an editor has sent of it. */
export interface WantedDocument {
  row: DocumentRow;
  of: 'document' | 'origin' | SentFile;
  /** Null: the document's own format. */
  toType: string | null;
  options?: ConversionOptions;
  /** Leaves a protected document's password out of the result. */
  withoutPassword?: boolean;
}

export interface DocumentConversionsDependencies {
  copies: Copies;
  conversions: Conversions;
  table: ConversionTable;
  openedSources: OpenedSources;
  media: Media;
  sealing: Sealing;
  /** Whether documents are saved in the format they came in. */
  assemblyFormatAsOrigin: boolean;
}

/** What only engines and editors pass on among themselves. */
const internalTypes: ReadonlySet<string> = new Set(editorForms);

const failure = (errorCode: number, message: string): ConversionOutcome => ({
  ok: false,
  errorCode,
  message,
});

/** Documents in other formats than their own. */
export class DocumentConversions {
  readonly #deps: DocumentConversionsDependencies;

  constructor(dependencies: DocumentConversionsDependencies) {
    this.#deps = dependencies;
  }

  /** A document that was protected stays so where the format allows it, unless it is wanted without. */
  async make(wanted: WantedDocument): Promise<ConversionOutcome> {
    try {
      return await this.#make(wanted);
    } catch (error) {
      if (error instanceof QueueFullError) return failure(ServiceError.taskQueue, error.message);
      throw error;
    }
  }

  /**
   * The types that a document can be had as, by the engines that are there now: its own type first, or, where that is only read,
   * the one that it is saved as, and the others by the alphabet.
   */
  typesOf(row: DocumentRow): readonly string[] {
    const { table, assemblyFormatAsOrigin } = this.#deps;
    const { fileType } = row;
    const sources = this.#sourceTypes(row);
    const saved = typeOfSaved(row, assemblyFormatAsOrigin, table);
    const isWritten = sources.some((type) => type !== fileType && table.handles(type, fileType));
    const own = isWritten ? fileType : saved;
    const targets = sources.flatMap((type) => table.targetsOf(type));
    const others = targets.filter((type) => type !== own && type !== fileType && !internalTypes.has(type));
    return [own, ...[...new Set(others)].sort()];
  }

  /** The types that the document itself may have when it is converted. */
  #sourceTypes(row: DocumentRow): readonly string[] {
    const { table, assemblyFormatAsOrigin } = this.#deps;
    const base = row.baseHash === null ? [] : [baseTypeOf(row)];
    return [row.fileType, typeOfSaved(row, assemblyFormatAsOrigin, table), ...base];
  }

  async #make(wanted: WantedDocument): Promise<ConversionOutcome> {
    const { row, of, toType } = wanted;
    const { conversions, table } = this.#deps;
    if (typeof of === 'object') return this.#convertSent(wanted, of);
    // What cannot be made is not begun.
    const types = this.#sourceTypes(row);
    if (toType !== null && !types.some((type) => type === toType || table.handles(type, toType))) {
      return failure(ServiceError.convertUnknownFormat, `The document cannot be downloaded as ${toType}`);
    }
    const copy = await this.#file(wanted);
    if (!('hash' in copy)) return failure(copy.errorCode, copy.message);
    const { hash, fileType } = copy;
    if (toType === null || toType === fileType) return { ok: true, hash, fileType };
    const options = this.#optionsOf(wanted, toType);
    if (!options) return lost;
    const forWhom = { isInteractive: true, owner: { key: row.key } };
    return conversions.convert({ sourceHash: hash, fromType: fileType, toType, options, ...forWhom });
  }

  async #file({ row, of, toType }: WantedDocument) {
    // A file that is converted anyway loses least when it is made from the base, which has no password.
    const isProtected = unsealOptions(this.#deps.sealing, row.openingOptions)?.password !== undefined;
    const form = toType === null || toType === row.fileType || isProtected ? 'own' : 'base';
    if (of === 'document') return this.#deps.copies.of(row.key, form);
    if (row.sourceHash === null)
      return { errorCode: ServiceError.unknown, message: 'The document is not open' };
    return { hash: row.sourceHash, fileType: row.fileType };
  }

  async #convertSent(wanted: WantedDocument, { hash, start }: SentFile): Promise<ConversionOutcome> {
    const { row, toType } = wanted;
    const { conversions, openedSources, media, table } = this.#deps;
    const target = toType ?? row.fileType;
    const fromType = sentType(start);
    if (!table.handles(fromType, target)) {
      return failure(ServiceError.convertUnknownFormat, `The document cannot be downloaded as ${target}`);
    }
    const options = this.#optionsOf(wanted, target);
    if (!options) return lost;
    const opening = {
      sourceHash: row.sourceHash ?? '',
      model: 'binary' as const,
      variant: row.openedVariant,
    };
    const opened = await openedSources.find(opening);
    const { [documentFile]: _document, ...ownMedia } = opened?.ok ? opened.files : {};
    const { password: _password, ...others } = options;
    return conversions.convert({
      sourceHash: hash,
      fromType,
      toType: target,
      options: others,
      media: { ...(await media.of(row.key)), ...ownMedia },
      isInteractive: true,
      owner: { key: row.key },
    });
  }

  #optionsOf(
    { row, options = {}, withoutPassword }: WantedDocument,
    toType: string,
  ): ConversionOptions | null {
    const opened = unsealOptions(this.#deps.sealing, row.openingOptions);
    if (!opened) return null;
    const { password, encoding, delimiter, delimiterChar } = opened;
    const keeps = password !== undefined && !withoutPassword && canProtect(toType);
    const { title, fileType } = row;
    return {
      codePage: encoding === undefined ? undefined : codePageOf(encoding),
      delimiter,
      delimiterChar,
      fileName: isPages(toType) ? titledFile(title, fileType, fileType) : undefined,
      ...given(options),
      // What people download they open in Excel, which takes UTF-8 without a mark for another encoding.
      byteOrderMark: isTable(toType) || undefined,
      password,
      savePassword: keeps ? password : undefined,
    };
  }
}

/** Whether files of a type are tables in plain text. */
const isTable = (type: string): boolean => type === 'csv' || type === 'tsv';

/** What an editor has sent, by its beginning; pages that it has drawn have none. */
function sentType(start: string): string {
  if (start.startsWith('%PDF-')) return 'pdf';
  const form = /^(docy|xlsy|ppty);/i.exec(start)?.[1];
  return form?.toLowerCase() ?? 'pages';
}

const lost = failure(ServiceError.convert, 'The password was taken with another SECURE_LINK_SECRET');

const given = (options: ConversionOptions): ConversionOptions =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
