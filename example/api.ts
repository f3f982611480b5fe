/** What the pages of the example and its server say to each other. Times are ISO 8601 in UTC. */

import type { KindName } from '../model/kinds.ts';

export type Role = 'edit' | 'review' | 'comment' | 'view';

/** One of the made-up accounts. */
export interface Person {
  id: string;
  name: string;
  email: string;
  role: Role;
  /** Background of the avatar; white text on it is readable. */
  colour: string;
  initials: string;
}

/** What came of a version: where its content is from. */
export type VersionOrigin = 'created' | 'uploaded' | 'copied' | 'saved' | 'forced' | 'late' | 'restored';

/** Of the files that can be stored. */
export type DocumentKind = Exclude<KindName, 'diagram'>;

export interface NamedPerson {
  id: string;
  name: string;
}

export interface VersionSummary {
  number: number;
  savedAt: string;
  origin: VersionOrigin;
  /** The version that a restored one repeats. */
  restoredFrom?: number;
  people: NamedPerson[];
  sizeBytes: number;
  fileType: string;
  hasChanges: boolean;
}

export interface DocumentSummary {
  id: string;
  title: string;
  fileType: string;
  kind: DocumentKind;
  latest: VersionSummary;
  versionCount: number;
  /** Ids of the people who have it open for editing. */
  editing: string[];
  /** The last save failed: what the document server said, and when. */
  problem: { at: string; status: number } | null;
}

export interface Template {
  id: string;
  /** Of the documents that are made of it. */
  fileType: string;
}

/** What a page needs before it does anything. */
export interface ExampleSettings {
  people: Person[];
  templates: Template[];
  /** The address that `web-apps/apps/api/documents/api.js` is under; no slash at the end. */
  documentServer: string;
  maxFileBytes: number;
  /** Extensions that can be uploaded. */
  fileTypes: string[];
  /** Those of them that the document server opens, with the converters that it has. */
  openedTypes: string[];
  /** Those of them that it has an editor for; what else it opens is only shown. */
  editedTypes: string[];
}

/** An entry of a document's record of callbacks. */
export interface CallbackEntry {
  at: string;
  status: number;
  users: string[];
  /** What was done about it: the version it made, or why it was refused. */
  version?: number;
  problem?: string;
}

/** Why a request was refused. `code` is for programs, `message` for people who read English. */
export interface RefusalBody {
  error: { code: RefusalCode; message: string };
}

export type RefusalCode =
  | 'bad-request'
  | 'not-allowed'
  | 'other-site'
  | 'not-found'
  | 'too-large'
  | 'too-many'
  | 'empty-file'
  | 'unknown-type'
  | 'wrong-content'
  | 'protected-file'
  | 'bad-title'
  | 'still-open'
  | 'server-unreachable'
  | 'internal';

/** Header that names who asks; its presence also proves that no foreign page's form sent the request. */
export const personHeader = 'x-example-person';
