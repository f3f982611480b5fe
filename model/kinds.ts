import { EditorType } from '../client/protocol/codes.ts';
import { QuireError } from '../platform/quire-error.ts';

/** Our model of a kind of document: what its editor edits and its change log is made on. */
export interface KindModelEntry {
  /** Its name on the wire (`openCmd.model`) and in the database. */
  readonly name: string;
  /**
   * What positions and ids in a log mean depends on the version of the model that it was made on: a log is applied by the
   * version it began with, or not at all.
   */
  readonly version: number;
}

/** A kind of document, whatever its format: text documents, spreadsheets, presentations. */
export interface Kind {
  /** `documentType` of the integration API (section 3), and its name of old. */
  readonly name: string;
  readonly formerName?: string;
  /** `auth.editorType` of the co-authoring protocol. Several kinds may share one. */
  readonly editorType: EditorType;
  /** Null: no editor of ours edits it yet. */
  readonly model: KindModelEntry | null;
  /**
   * The format that its engine reads and writes itself: the first of these types, which documents of other formats are
   * edited as, and the others that share it. Templates share it too.
   */
  readonly nativeTypes: readonly [string, ...string[]];
  readonly templates: readonly string[];
  /** Further types (integration API, 9.5); such a document is edited as the first native type, where an engine makes one of it. */
  readonly otherTypes: readonly string[];
}

/** A kind that has a model of ours. */
export type EditedKind = Kind & { readonly model: KindModelEntry };

const typesIn = (text: string): readonly string[] => text.split(' ');

/** Text documents. */
export const wordKind = {
  name: 'word',
  formerName: 'text',
  editorType: EditorType.text,
  model: { name: 'word', version: 3 },
  nativeTypes: ['docx', 'docm'],
  templates: ['dotx', 'dotm'],
  otherTypes: typesIn(
    'doc dot epub fb2 fodt hml htm html hwp hwpx md mht mhtml odt ott pages rtf stw sxw txt wps wpt xml',
  ),
} as const satisfies EditedKind;

/** Spreadsheets. */
export const cellKind = {
  name: 'cell',
  formerName: 'spreadsheet',
  editorType: EditorType.spreadsheet,
  model: { name: 'cell', version: 1 },
  nativeTypes: ['xlsx', 'xlsm'],
  templates: ['xltx', 'xltm'],
  otherTypes: typesIn('csv et ett fods numbers ods ots sxc tsv xls xlsb xlt xml'),
} as const satisfies EditedKind;

/** The kinds of this version. Where kinds share a type (`xml`), it is of the first unless somebody says another. */
const ownKinds = [
  wordKind,
  cellKind,
  {
    name: 'slide',
    formerName: 'presentation',
    editorType: EditorType.presentation,
    model: null,
    nativeTypes: ['pptx', 'pptm', 'ppsx', 'ppsm'],
    templates: ['potx', 'potm'],
    otherTypes: typesIn('dps dpt fodp key odg odp otp pot pps ppt sxi'),
  },
  {
    name: 'pdf',
    formerName: 'text-pdf',
    editorType: EditorType.text,
    model: null,
    nativeTypes: ['pdf'],
    templates: [],
    otherTypes: typesIn('djvu docxf oform oxps xps'),
  },
  {
    name: 'diagram',
    editorType: EditorType.diagram,
    model: null,
    nativeTypes: ['vsdx', 'vsdm', 'vssx', 'vssm'],
    templates: ['vstx', 'vstm'],
    otherTypes: [],
  },
] as const satisfies readonly Kind[];

/** The name of a kind of this version. */
export type KindName = (typeof ownKinds)[number]['name'];

/** The name of a model of this version. */
export type ModelName = NonNullable<(typeof ownKinds)[number]['model']>['name'];

const [firstKind, ...furtherKinds] = ownKinds;
export const kindNames: readonly [KindName, ...KindName[]] = [
  firstKind.name,
  ...furtherKinds.map(({ name }) => name),
];

/**
 * The forms in which a document may be open that are no kind's model. `binary`: the one of the converter x2t; `opaque`:
 * the file itself, whose changes only its editors understand; `pages`: a PDF to look at, of which there are no changes.
 */
export const documentForms = ['binary', 'opaque', 'pages'] as const;
export type DocumentForm = (typeof documentForms)[number];

export const isForm = (model: string): model is DocumentForm =>
  (documentForms as readonly string[]).includes(model);

const formVersion = 1;

/** There is no such model here: a client asks for one of another server, or a later version has opened the document. */
export class UnknownModelError extends QuireError {
  constructor(model: string, known: readonly string[]) {
    super('unknown-model', `There is no model "${model}" on this server, only ${known.join(', ')}.`);
  }
}

/** The types that share the native format of a kind, templates included: its engine reads and writes them itself. */
export const ownTypesOf = ({ nativeTypes, templates }: Kind): readonly string[] => [
  ...nativeTypes,
  ...templates,
];

/** The type in which documents of other formats of a kind are edited. */
export const nativeTypeOf = ({ nativeTypes }: Kind): string => nativeTypes[0];

/** The page of ours that opens a kind: that of its editor, or the one that shows what no editor of ours edits. */
export const pageOf = ({ name, model }: Kind): string => (model ? name : 'viewer');

/** Whether files of a type are of a kind. */
export const isOfKind = (kind: Kind, fileType: string): boolean =>
  ownTypesOf(kind).includes(fileType) || kind.otherTypes.includes(fileType);

/** All that this process knows of kinds of documents. */
export class KindTable {
  /** In the order in which they are named. A plain field: `api.js` is for browsers of years ago as well. */
  all: readonly Kind[];

  constructor(kinds: readonly Kind[]) {
    this.all = kinds;
  }

  /** Takes up a further kind. @throws TypeError when its name, its model or one of its native types is another's */
  add(kind: Kind): void {
    const { name, model } = kind;
    if (this.named(name)) throw new TypeError(`there is a kind "${name}" already`);
    if (model && this.knows(model.name)) throw new TypeError(`there is a model "${model.name}" already`);
    const taken = ownTypesOf(kind).find((type) => this.all.some((other) => ownTypesOf(other).includes(type)));
    if (taken !== undefined) throw new TypeError(`files of type "${taken}" are of another kind`);
    this.all = [...this.all, kind];
  }

  /** Those that an editor of ours edits. */
  get edited(): readonly EditedKind[] {
    return this.all.filter((kind): kind is EditedKind => kind.model !== null);
  }

  /** The names of the models of ours. */
  get models(): readonly string[] {
    return this.edited.map(({ model }) => model.name);
  }

  /** The kind that a `documentType` names, by its name of today or of old. */
  named(name: string): Kind | undefined {
    return (
      this.all.find((kind) => kind.name === name) ??
      this.all.find(({ formerName }) => formerName !== undefined && formerName === name)
    );
  }

  /** The kinds that files of a type may be of; none for a type that is not known. */
  ofType(fileType: string): readonly Kind[] {
    return this.all.filter((kind) => isOfKind(kind, fileType));
  }

  /** The kind of a file: its type decides, and `named` where that is not known or not certain. */
  ofFile(fileType: string, named?: Kind | undefined): Kind | undefined {
    const possible = this.ofType(fileType);
    return named && (possible.includes(named) || possible.length === 0) ? named : possible[0];
  }

  /** The kind of a model of ours; undefined for forms, for what is not known, and where nothing is said. */
  ofModel(model: string | null | undefined): EditedKind | undefined {
    return this.edited.find((kind) => kind.model.name === model);
  }

  /** Whether a document can be open in this model or form here. */
  knows(model: string): boolean {
    return isForm(model) || this.ofModel(model) !== undefined;
  }

  /** The version of a model, or of a form, here. @throws UnknownModelError */
  versionOf(model: string): number {
    if (isForm(model)) return formVersion;
    const kind = this.ofModel(model);
    if (!kind) throw new UnknownModelError(model, this.models);
    return kind.model.version;
  }
}

/** The table of kinds: those of this version, and what a process takes up when it starts (`KIND_MODULES`). */
export const kinds = new KindTable(ownKinds);
