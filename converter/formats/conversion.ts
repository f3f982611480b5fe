/**
 * The options of a conversion (integration API, 9.1). An option that no engine supports is an error; none is ever ignored
 * silently.
 */
export interface ConversionOptions {
  /** Opens the source. */
  readonly password?: string | undefined;
  /** Protects the result. */
  readonly savePassword?: string | undefined;
  /** Number of a Windows code page, for plain text. */
  readonly codePage?: number | undefined;
  /** 0 none, 1 tab, 2 semicolon, 3 colon, 4 comma, 5 space. */
  readonly delimiter?: number | undefined;
  /** A delimiter that has no number. */
  readonly delimiterChar?: string | undefined;
  /** Plain text in UTF-8 begins with a byte order mark, by which Excel knows that it is. */
  readonly byteOrderMark?: boolean | undefined;
  /** A locale, `en-US`. */
  readonly region?: string | undefined;
  readonly thumbnail?: Thumbnail | undefined;
  readonly spreadsheetLayout?: Layout | undefined;
  /** What pages say where they show the name of the file: a name with its extension. */
  readonly fileName?: string | undefined;
  /** The one sheet of a workbook, counted from 1, that a table in plain text or pages are made of. */
  readonly sheet?: number | undefined;
  readonly documentLayout?: Layout | undefined;
  readonly documentRenderer?: { readonly textAssociation?: string | undefined } | undefined;
  readonly pdf?: { readonly form?: boolean | undefined; readonly pdfa?: boolean | undefined } | undefined;
  readonly watermark?: Layout | undefined;
  readonly pdfLayout?: Layout | undefined;
}

/** Pages as pictures. `first` false: all of them, in a zip file. */
export interface Thumbnail {
  /** 0 stretched into the box, 1 as large as fits into it, 2 the size of the page at 96 dots an inch. */
  readonly aspect?: number | undefined;
  readonly first?: boolean | undefined;
  /** Pixels. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

/** Settings that are passed on to the engine under the names of the integration API. */
export type Layout = Readonly<Record<string, unknown>>;

/** Types are usual extensions in lower case. */
export interface Conversion {
  readonly fromType: string;
  readonly toType: string;
  readonly options: ConversionOptions;
}

/** Forms that editors of the ONLYOFFICE family send: a text document, a spreadsheet, a presentation, drawn pages. */
export const editorForms: readonly string[] = ['docy', 'xlsy', 'ppty', 'pages'];

/**
 * A web page that is read as a workbook, as programs export them under the name `xls`. It is the extension of no file, and in
 * no list of types.
 */
export const webTable = 'webtable';

/** Files that a source names by their paths. */
export type SourceMedia = readonly (readonly [path: string, bytes: Uint8Array])[];

/** A result as a blob, or the service error number (co-authoring protocol, 1.7) with a message that is safe to show. */
export type ConversionOutcome =
  | { readonly ok: true; readonly hash: string; readonly fileType: string }
  | { readonly ok: false; readonly errorCode: number; readonly message: string };

/** The names of the options that are given, in alphabetical order. */
export function givenOptions(options: ConversionOptions): (keyof ConversionOptions)[] {
  const names = Object.keys(options) as (keyof ConversionOptions)[];
  return names.filter((name) => options[name] !== undefined).sort();
}

/** Formats in which files are pictures of pages. */
export const pictureTypes: readonly string[] = ['bmp', 'gif', 'jpg', 'png'];

/** Whether files of a type are pages as one sees them: PDF, or pictures. */
export const isPages = (type: string): boolean =>
  type === 'pdf' || type === 'pdfa' || pictureTypes.includes(type);

/** What the result of a conversion is called: PDF/A is a PDF, and all pages as pictures are a zip file. */
export function resultType({ toType, options }: Conversion): string {
  if (toType === 'pdfa') return 'pdf';
  return options.thumbnail?.first === false && pictureTypes.includes(toType) ? 'zip' : toType;
}
