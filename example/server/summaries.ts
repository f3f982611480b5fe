import type { DocumentSummary, VersionSummary } from '../api.ts';
import type { Activity } from './activity.ts';
import { kindOf } from './file-kinds.ts';
import { type DocumentRecord, latest, type Version } from './records.ts';

/** What the pages are told about a document. */
export function documentSummary(record: DocumentRecord, activity: Activity): DocumentSummary {
  const { id, title, fileType, versions } = record;
  const last = record.callbacks.findLast(({ status }) => status !== 1);
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

/** What the pages are told about a version. */
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
