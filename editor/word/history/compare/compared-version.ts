import type { Node } from 'prosemirror-model';
import type { AuthorChanges } from '../../../shell/history/change-archive.ts';
import type { VersionAuthors } from '../../../shell/history/version-reader.ts';
import { colorOf } from '../../../shell/people/people.ts';
import { Authorship, type OpenedVersion } from './authorship.ts';
import type { MarkedDifference } from './change-marks.ts';
import { compareDocuments } from './document-diff.ts';

/**
 * What has changed from one version to the next, and by whom. The documents say what; the changes, if they lead to this
 * very document, say who. Without them it is known only of a version with one author.
 */
export function compareVersions(
  older: OpenedVersion,
  newer: Node,
  authors: VersionAuthors,
): MarkedDifference[] {
  const ids = [...authors.names.keys()];
  const authorOf = (id: string | null): MarkedDifference['author'] =>
    id === null || !authors.names.has(id)
      ? null
      : { name: authors.names.get(id)!, color: colorOf(ids.indexOf(id)) };
  const only = ids.length === 1 ? ids[0]! : null;
  const authorship = authors.changes && authorshipOf(older, newer, authors.changes);
  return compareDocuments(older.doc, newer).flatMap((difference): MarkedDifference[] => {
    if (!authorship) return [{ difference, author: authorOf(only) }];
    if (difference.kind === 'deleted') {
      return [{ difference, author: authorOf(authorship.deleterAt(difference.pos)) }];
    }
    const parts = authorship.writersOf(difference.from, difference.to);
    if (difference.isBlock) {
      const author = parts.find((part) => part.author !== null)?.author ?? null;
      return [{ difference, author: authorOf(author) }];
    }
    return parts.map(({ from, to, author }) => ({
      difference: { ...difference, from, to },
      author: authorOf(author),
    }));
  });
}

/** Null if the changes lead to another document than the one that is shown: their positions would be wrong. */
function authorshipOf(
  older: OpenedVersion,
  newer: Node,
  changes: readonly AuthorChanges[],
): Authorship | null {
  const authorship = new Authorship(older, changes);
  const { doc } = authorship;
  const textOf = ({ content }: Node) => content.textBetween(0, content.size, '\n', '\u0001');
  return doc.content.size === newer.content.size && textOf(doc) === textOf(newer) ? authorship : null;
}
