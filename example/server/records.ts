import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { CallbackStatus } from '../../client/protocol/index.ts';
import type { DocumentSummary, VersionSummary } from '../api.ts';
import type { Activity } from './activity.ts';
import { kindOf } from './file-kinds.ts';
import { Refusal } from './refusal.ts';

const person = z.object({ id: z.string(), name: z.string() });

const version = z.object({
  number: z.int().positive(),
  /** Key under which the history view opens this version; never one that is edited under. */
  key: z.string(),
  /** Name of its file in the document's directory. */
  file: z.string(),
  fileType: z.string(),
  sha256: z.string(),
  sizeBytes: z.int(),
  savedAt: z.string(),
  origin: z.enum(['created', 'uploaded', 'copied', 'saved', 'forced', 'late', 'restored']),
  restoredFrom: z.int().optional(),
  people: z.array(person),
  /** Of a version that an editing session made. */
  session: z
    .object({
      key: z.string(),
      /** The version that the session began with: what the changes archive applies to. */
      baseVersion: z.int(),
      lastSave: z.string().optional(),
    })
    .optional(),
  changesFile: z.string().optional(),
  /** `history` of the callback, given to the editor as it came. */
  history: z.object({ serverVersion: z.string().optional(), changes: z.unknown().optional() }).optional(),
});

const callback = z.object({
  at: z.string(),
  status: z.int(),
  users: z.array(z.string()),
  version: z.int().optional(),
  problem: z.string().optional(),
});

/** What is kept about a document, in its `document.json`. */
export const documentRecord = z.object({
  id: z.string(),
  title: z.string(),
  fileType: z.string(),
  createdAt: z.string(),
  createdBy: person,
  deletedAt: z.string().optional(),
  /** The key that the document is opened with now, and the version it stands for. */
  session: z.object({ key: z.string(), baseVersion: z.int() }),
  /** Keys it was opened with before: callbacks may come late. */
  pastSessions: z.array(z.object({ key: z.string(), baseVersion: z.int() })),
  versions: z.array(version).min(1),
  /** The last callbacks, oldest first. */
  callbacks: z.array(callback),
});

export type DocumentRecord = z.infer<typeof documentRecord>;
export type Version = z.infer<typeof version>;
export type Callback = z.infer<typeof callback>;

/** The newest version of a document. */
export function latest(record: DocumentRecord): Version {
  return record.versions.at(-1)!;
}

/** Name of the file as people see it. */
export function fileName({ title, fileType }: Pick<DocumentRecord, 'title' | 'fileType'>): string {
  return `${title}.${fileType}`;
}

/** A key that was never used: a key belongs to one content for ever. */
export function newKey(id: string): string {
  return `${id}-${randomBytes(9).toString('hex')}`;
}

/** Longest title that an editor takes (integration API, 4.2), without room for an extension of five characters. */
const maxTitleLength = 122;

/** A title without control characters and surrounding space. @throws Refusal when nothing is left, or too much */
export function documentTitle(text: unknown): string {
  if (typeof text !== 'string') throw new Refusal('bad-title', 'A title is needed.');
  const title = text
    .normalize('NFC')
    .replace(/[\p{Cc}\u202A-\u202E\u2066-\u2069/\\]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  if (title === '') throw new Refusal('bad-title', 'A title is needed.');
  if (title.length > maxTitleLength) {
    throw new Refusal('bad-title', `A title has at most ${maxTitleLength} characters.`);
  }
  return title;
}

/** What the pages show of a document. */
export function documentSummary(record: DocumentRecord, activity: Activity): DocumentSummary {
  const { id, title, fileType, versions } = record;
  const last = record.callbacks.findLast(({ status }) => status !== CallbackStatus.editing);
  return {
    id,
    title,
    fileType,
    kind: kindOf(fileType),
    latest: versionSummary(latest(record)),
    versionCount: versions.length,
    editing: [...activity.editing(id)],
    problem: last?.problem === undefined ? null : { at: last.at, status: last.status },
  };
}

/** What the pages show of a version. */
export function versionSummary(version: Version): VersionSummary {
  const { number, savedAt, origin, restoredFrom, people, sizeBytes, fileType, changesFile } = version;
  return {
    number,
    savedAt,
    origin,
    ...(restoredFrom !== undefined && { restoredFrom }),
    people,
    sizeBytes,
    fileType,
    hasChanges: changesFile !== undefined,
  };
}
