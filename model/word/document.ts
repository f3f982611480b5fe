import { Node } from 'prosemirror-model';
import * as z from 'zod/mini';
import { ModelVersionError } from '../log/kind-model.ts';
import { checkAll } from './changed-nodes.ts';
import { holdReasons, protections } from './rights/document-rights.ts';
import { wordSchema } from './schema.ts';
import { READABLE_VERSIONS, WORD_DOCUMENT_VERSION } from './version.ts';

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const properties = z.record(z.string(), scalar);

const style = z.object({
  id: z.string(),
  name: z.string(),
  type: z.enum(['paragraph', 'character', 'table', 'numbering']),
  basedOn: z.nullable(z.string()),
  next: z.nullable(z.string()),
  /** The style of paragraphs (or runs, tables) that name none. */
  isDefault: z.boolean(),
  /** Paragraph attributes of the schema that the style sets. */
  paragraph: properties,
  /** Marks of the schema that the style sets, by name, with their attributes. */
  run: z.record(z.string(), properties),
  /** Run properties that the marks do not hold, as XML. */
  extra: z.string(),
  /** No space between paragraphs of this style (17.3.1.9); null is "as what it is based on says". */
  contextualSpacing: z.nullable(z.boolean()),
  /** Tab stops (17.3.1.38) in twips, in order; `clear` takes one away of what the style is based on. */
  tabStops: z.array(z.object({ position: z.number(), align: z.string() })),
});

const listLevel = z.object({
  level: z.number(),
  /** ST_NumberFormat (17.18.59): decimal, bullet, lowerLetter, ... */
  format: z.string(),
  /** Template of the label: `%1.` is the number of level 1 and a full stop. */
  text: z.string(),
  start: z.number(),
  /** The first paragraph of the list starts at `start`, also when the counter has gone on (17.9.26). */
  restarts: z.boolean(),
  /** It begins anew after this many of the highest levels alone, after none for 0 (17.9.10); after all above it when absent. */
  restartsAfter: z.optional(z.number()),
  /** All numbers of the label are decimal, whatever format their levels have (17.9.4). */
  isLegal: z.optional(z.boolean()),
  indentLeft: z.nullable(z.number()),
  indentFirst: z.nullable(z.number()),
  /** What stands between label and text (17.18.43). */
  suffix: z.enum(['tab', 'space', 'nothing']),
  /** Marks of the label: bullets often have a font of symbols. */
  run: z.record(z.string(), properties),
});

const list = z.object({
  id: z.string(),
  /** Lists with the same counter number on each other's paragraphs: they are made from one definition (17.9.15). */
  counter: z.string(),
  levels: z.array(listLevel),
});

/** Indexes into `parts` of what stands on ordinary, first and even pages. */
const partsOfPages = z.object({
  default: z.nullable(z.number()),
  first: z.nullable(z.number()),
  even: z.nullable(z.number()),
});

/** Twips. */
const section = z.object({
  /** Id of the block of the body that ends the section; null for the section that ends with the document. */
  lastBlock: z.nullable(z.string()),
  headers: partsOfPages,
  footers: partsOfPages,
  /** The first page has its own header and footer. */
  titlePage: z.boolean(),
  columns: z.number(),
  headerDistance: z.number(),
  footerDistance: z.number(),
  width: z.number(),
  height: z.number(),
  marginTop: z.number(),
  marginRight: z.number(),
  marginBottom: z.number(),
  marginLeft: z.number(),
});

/** `password`: how to know it (17.15.1.29), in base 64; null for a protection that anybody lifts. */
const protection = z.object({
  edit: z.enum(protections),
  password: z.nullable(
    z.object({
      algorithm: z.nullable(z.string()),
      hash: z.string(),
      salt: z.string(),
      spinCount: z.number(),
    }),
  ),
});

const node = z.record(z.string(), z.unknown());

const fileRevision = z.object({
  kind: z.enum(['insertion', 'deletion', 'moveFrom', 'moveTo', 'format', 'object']),
  /** Id of the node that was changed. Null for runs, and for the last section of the document. */
  node: z.nullable(z.string()),
  /** The run properties that were changed: index of the marks `rx`. */
  rx: z.nullable(z.number()),
  author: z.string(),
  date: z.nullable(z.string()),
  /** What was so before a change of properties: attributes of the node, or marks of the runs by name. */
  before: z.nullable(z.record(z.string(), z.unknown())),
});

const wordDocument = z.object({
  format: z.literal('quire-word'),
  version: z.literal(READABLE_VERSIONS),
  /** The ProseMirror document. */
  doc: node,
  /** Run properties that the model does not hold, as XML; the marks `rx` point here. */
  rx: z.array(z.string()),
  styles: z.array(style),
  /** What `w:docDefaults` sets for every paragraph and run. */
  defaults: z.object({ paragraph: properties, run: z.record(z.string(), properties) }),
  lists: z.array(list),
  /** Page geometry in document order; the last is that of the end of the document. */
  sections: z.array(section),
  /** Headers and footers, to be shown: ProseMirror documents of the same schema, whose nodes have no ids. */
  parts: z.array(node),
  /** Footnotes and endnotes by their id, as `ref` of an opaque inline of kind `w:footnoteReference` names it. */
  footnotes: z.record(z.string(), node),
  endnotes: z.record(z.string(), node),
  settings: z.object({
    /** The protection of the file, where it is enforced (17.15.1.29). */
    protection: z.optional(z.nullable(protection)),
    /** Changes are to be tracked (17.15.1.90). */
    trackChanges: z.boolean(),
    evenAndOddHeaders: z.boolean(),
    /** Twips. */
    defaultTabStop: z.number(),
    /** Fonts of the theme, where the document has one. */
    majorFont: z.nullable(z.string()),
    minorFont: z.nullable(z.string()),
  }),
  /**
   * Content controls that people may fill in who may do nothing else: keys of the mark `within`, ids of blocks of type
   * `block_wrap`, and of cells that a control is around. Absent in documents that were opened before this was told.
   */
  fillable: z.optional(z.array(z.string())),
  /**
   * Characters of complex fields (17.16.18) that are nodes, or parts of nodes, in document order: which node, and which
   * character. Absent in documents that were opened before this was told.
   */
  fields: z.optional(
    z.readonly(z.array(z.readonly(z.tuple([z.string(), z.enum(['begin', 'separate', 'end'])])))),
  ),
  /**
   * Tracked changes of the file that are not marks `ins` and `del`: one for each node, run properties or section that has any.
   * Absent in documents that were opened before this was told.
   */
  revisions: z.optional(z.readonly(z.array(fileRevision))),
  /** How many tracked changes headers, footers, notes and comments have, which cannot be decided on. */
  revisionsElsewhere: z.optional(z.number()),
  /** Content controls that are more than a place to type, see `ContentControl`. */
  controls: z.optional(
    z.array(
      z.object({
        ref: z.string(),
        held: z.nullable(z.enum(holdReasons)),
        stays: z.boolean(),
        showsPlaceholder: z.boolean(),
      }),
    ),
  ),
  /** Paths of pictures that the package holds, as nodes of type image name them. */
  media: z.array(z.string()),
});

/** The JSON that a word editor downloads: the document and what is needed to show it. */
export type WordDocumentJson = z.infer<typeof wordDocument>;
export type WordStyle = z.infer<typeof style>;
export type WordList = z.infer<typeof list>;
export type WordListLevel = z.infer<typeof listLevel>;
export type WordRevision = z.infer<typeof fileRevision>;
export type WordProtection = z.infer<typeof protection>;
export type WordSection = z.infer<typeof section>;

export interface WordDocument {
  readonly json: WordDocumentJson;
  readonly doc: Node;
}

/**
 * Reads and checks the JSON of a document, which may be of the version before. Its positions and ids are those of the log
 * that was made on it; this version may read the same file as another document.
 * @throws ModelVersionError for a document of another version
 * @throws TypeError when it is not such a document, or its nodes break the schema
 */
export function parseWordDocument(value: unknown): WordDocument {
  const { version } = (value ?? {}) as { version?: unknown };
  if (typeof version === 'number' && !READABLE_VERSIONS.includes(version)) {
    throw new ModelVersionError(`a word document of version ${version}, not ${WORD_DOCUMENT_VERSION}`);
  }
  const parsed = wordDocument.safeParse(value);
  if (!parsed.success) throw new TypeError('not a word document', { cause: parsed.error });
  try {
    const doc = Node.fromJSON(wordSchema, parsed.data.doc);
    if (doc.type !== wordSchema.nodes.doc) throw new RangeError('the root is not a document');
    checkAll(doc);
    return { json: parsed.data, doc };
  } catch (error) {
    throw new TypeError('not a word document: its nodes break the schema', { cause: error });
  }
}
