import path from 'node:path';
import { type Conversion, isPages, pictureTypes, type Thumbnail } from '../../formats/conversion.ts';
import { usualThumbnail } from '../usual-options.ts';
import {
  isOlderWord,
  mainContentTypes,
  type OfficeReader,
  olderWord,
  readerOf,
  writerOf,
} from './filters.ts';
import { type MarkupSource, markupSource } from './markup-source.ts';
import type { OfficeResult } from './office-result.ts';
import type { OfficeOutput, OfficeSource, OfficeStep, OfficeTask } from './office-task.ts';

import { paperIn, saysNoPaper, sheetLayout } from './page-layout.ts';
import { isPlain, plainSource, plainTarget } from './plain-text.ts';
import { unnamedSheet } from './profile.ts';
import { isProtected } from './protected-source.ts';

import { pdfWatermark } from './watermark.ts';

/** A conversion as it is given to LibreOffice, and how its result is made of the files that LibreOffice writes. */
interface OfficeOrder {
  readonly task: OfficeTask;
  /** To be put into the directory of the job. */
  readonly files: readonly { readonly name: string; readonly bytes: Uint8Array }[];
  readonly result: OfficeResult;
  /** LibreOffice does not ask for the password of this source, but fails to load it with a wrong one. */
  readonly protectedSource: boolean;
}

type FilterData = Readonly<Record<string, boolean | number | string>>;

const mimeTypes: Readonly<Record<string, string>> = {
  bmp: 'image/x-MS-bmp',
  gif: 'image/gif',
  jpg: 'image/jpeg',
  png: 'image/png',
};

/** PDF/A-2: as PDF/A-1, and what one sees through stays that. */
const ARCHIVED = 2;
const PICTURES = 'pages';

/**
 * A conversion between a pair of this engine with options that it is able to honour.
 * @throws ConversionError when the source needs a password and there is none
 */
export async function officeTask(conversion: Conversion, source: Uint8Array): Promise<OfficeOrder> {
  const { fromType, options } = conversion;
  const reader = isOlderWord(source) ? olderWord : readerOf(fromType)!;
  const protectedSource = isProtected(source, options.password);
  const rewritten: MarkupSource | undefined = isPlain(fromType)
    ? plainSource(source, fromType, options)
    : await markupSource(source, fromType);
  const written = writtenBy(conversion, reader);
  return {
    task: {
      source: sourceOf(conversion, reader, rewritten),
      steps: [
        ...(rewritten?.steps ?? []),
        ...paperSteps(conversion, source),
        ...layoutSteps(conversion, reader),
        ...written.steps,
      ],
      outputs: written.outputs,
    },
    files: [{ name: nameOf(conversion), bytes: rewritten?.bytes ?? source }],
    result: written.result,
    protectedSource,
  };
}

const resultName = (type: string): string => `result.${type}`;

/** Longest name of the file that is loaded, bytes; file systems take 255. */
const maxNameBytes = 200;

/** What the source is called while it is converted: fields that show the name of a file show this. */
function nameOf({ fromType, toType, options: { fileName } }: Conversion): string {
  const usual = `source.${fromType}`;
  if (fileName === undefined) return usual;
  const safe = fileName.replace(/[\p{Cc}\p{Cs}/\\]/gu, '_').replace(/^\.+/, '_');
  const { name, ext } = path.parse(safe);
  const characters = [...name];
  while (Buffer.byteLength(characters.join('')) > maxNameBytes) characters.pop();
  const wished = `${characters.join('')}${ext}`;
  return wished === resultName(toType) ? usual : wished;
}

function sourceOf(
  conversion: Conversion,
  reader: OfficeReader,
  rewritten: MarkupSource | undefined,
): OfficeSource {
  const { password } = conversion.options;
  return {
    file: nameOf(conversion),
    filter: reader.filter,
    ...(rewritten?.filterOptions !== undefined && { filterOptions: rewritten.filterOptions }),
    ...(password !== undefined && { password }),
  };
}

const paperSteps = ({ fromType, options }: Conversion, source: Uint8Array): OfficeStep[] =>
  saysNoPaper(fromType, source) ? [paperIn(options.region)] : [];

function layoutSteps({ toType, options }: Conversion, { module }: OfficeReader): OfficeStep[] {
  const { spreadsheetLayout, region, sheet } = options;
  const isPrinted = isPages(toType);
  const isSheet = module === 'calc';
  const [language, country] = region?.split('-') ?? [];
  return [
    ...(isSheet ? [{ kind: 'name-sheets', unnamed: unnamedSheet }] : []),
    ...(isSheet || module === 'writer' ? [{ kind: 'hide-directory' }] : []),
    ...(isSheet && (isPrinted || isPlain(toType)) && region !== undefined
      ? [{ kind: 'region', language, country }]
      : []),
    ...(isSheet && isPrinted && spreadsheetLayout !== undefined ? [sheetLayout(spreadsheetLayout)] : []),
    ...(isSheet && sheet !== undefined ? [{ kind: 'only-sheet', number: sheet }] : []),
  ];
}

interface Written {
  readonly steps: readonly OfficeStep[];
  readonly outputs: readonly OfficeOutput[];
  readonly result: OfficeResult;
}

function writtenBy(conversion: Conversion, reader: OfficeReader): Written {
  const { toType, options } = conversion;
  if (pictureTypes.includes(toType)) return picturesOf(conversion, reader);
  const file = resultName(toType);
  if (reader.module === 'impress' && toType === 'txt') {
    const { codePage } = plainTarget(toType, options);
    return { steps: [{ kind: 'slide-text', file }], outputs: [], result: { kind: 'text', file, codePage } };
  }
  const isPdf = toType === 'pdf' || toType === 'pdfa';
  const output: OfficeOutput = { file, filter: writerOf(reader.module, isPdf ? 'pdf' : toType)! };
  if (isPdf) return oneFile({ ...output, filterData: pdfData(conversion) });
  if (isPlain(toType)) {
    const { filterOptions, codePage } = plainTarget(toType, options);
    return { ...oneFile({ ...output, filterOptions }), result: { kind: 'text', file, codePage } };
  }
  const mainContentType = mainContentTypes[toType];
  if (mainContentType !== undefined) {
    return { ...oneFile(output), result: { kind: 'retyped', file, mainContentType } };
  }
  const { savePassword } = options;
  return oneFile({
    ...output,
    ...(toType === 'html' && { filterOptions: 'EmbedImages' }),
    ...(savePassword !== undefined && { password: savePassword }),
  });
}

const oneFile = (output: OfficeOutput): Written => ({
  steps: [],
  outputs: [output],
  result: { kind: 'file', file: output.file },
});

function picturesOf(conversion: Conversion, { module }: OfficeReader): Written {
  const { toType, options } = conversion;
  const thumbnail = { ...usualThumbnail, ...given(options.thumbnail ?? {}) };
  const step = {
    kind: 'pictures',
    directory: PICTURES,
    extension: toType,
    mime: mimeTypes[toType]!,
    filter: writerOf(module, 'pdf')!,
    filterData: pdfData(conversion),
    ...thumbnail,
  };
  const result: OfficeResult = thumbnail.first
    ? { kind: 'file', file: `${PICTURES}/0001.${toType}` }
    : { kind: 'zip', directory: PICTURES };
  return { steps: [step], outputs: [], result };
}

function pdfData({ toType, options }: Conversion): FilterData {
  const { savePassword, watermark, pdf, documentLayout } = options;
  const drawing = watermark && pdfWatermark(watermark);
  return {
    ...((toType === 'pdfa' || pdf?.pdfa === true) && { SelectPdfVersion: ARCHIVED }),
    ...(savePassword !== undefined && { EncryptFile: true, DocumentOpenPassword: savePassword }),
    ...(documentLayout?.isPrint === true && { ExportFormFields: false }),
    ...(drawing && 'drawn' in drawing ? drawing.drawn : {}),
  };
}

const given = (thumbnail: Thumbnail): Partial<Required<Thumbnail>> =>
  Object.fromEntries(Object.entries(thumbnail).filter(([, value]) => value !== undefined));
