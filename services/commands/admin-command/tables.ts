import type {
  ConfigurationAnswer,
  DocumentAnswer,
  DocumentsAnswer,
  NodesAnswer,
  Person,
  QueueAnswer,
  SaveAnswer,
  SavesAnswer,
} from '../../admin/api.ts';

const mebibyte = 1_048_576;
const nameOf = ({ name, userId }: Person): string => name || userId;

export const documentsTable = ({ total, documents }: DocumentsAnswer): string =>
  [
    textTable(
      ['KEY', 'TITLE', 'TYPE', 'STATE', 'CHANGES', 'UNSAVED', 'STORED', 'PEOPLE'],
      documents.map((one) => [
        one.key,
        one.title,
        one.fileType,
        one.state,
        String(one.changes),
        age(one.unsavedSince),
        age(one.storedAt),
        one.people.map(nameOf).join(', '),
      ]),
    ),
    `${documents.length} of ${total}`,
  ].join('\n');

export function documentText({ document, people, locks, saveTurns, saves }: DocumentAnswer): string {
  const facts = Object.entries(document).map(([name, value]) => [name, String(value ?? '')]);
  const parts = [textTable(['', ''], facts).trimStart()];
  if (people.length > 0) {
    parts.push(
      textTable(
        ['CONNECTION', 'USER', 'NAME', 'ROLE', 'SINCE', 'NODE'],
        people.map((one) => [
          one.connectionId,
          one.userId,
          one.name,
          one.role,
          age(one.sinceMs),
          one.nodeName,
        ]),
      ),
    );
  }
  parts.push(
    `Locks: ${locks.length}. Save-lock queue: ${saveTurns.map(({ user }) => user).join(', ') || 'none'}.`,
  );
  if (saves.length > 0) parts.push(saveTable(saves));
  return parts.join('\n\n');
}

const saveTable = (saves: readonly SaveAnswer[]): string =>
  textTable(
    ['ID', 'KEY', 'STATUS', 'WHERE', 'ATTEMPTS', 'AGE', 'STORAGE', 'KEPT', 'WHY NOT'],
    saves.map((one) => [
      one.id,
      one.key,
      String(one.status),
      one.phase,
      String(one.attempts),
      age(one.createdAt),
      one.callbackHost ?? '',
      one.copies.map(({ part }) => part).join(','),
      one.phase === 'delivered' ? '' : (one.lastError ?? ''),
    ]),
  );

export const savesTable = ({ total, saves, assembling }: SavesAnswer): string =>
  `${saveTable(saves)}\n${saves.length} of ${total}; ${assembling} last saves are being made`;

export const nodesTable = ({ nodes }: NodesAnswer): string =>
  textTable(
    ['NODE', 'ID', 'HOST', 'VERSION', 'UP', 'DOCUMENTS', 'CONNECTIONS', 'LOOP P99', 'MEMORY', 'STATE'],
    nodes.map((one) => {
      const last = one.samples.at(-1);
      const connections = Object.values(one.connections).reduce((sum, count) => sum + count, 0);
      return [
        one.name ?? '',
        one.nodeId,
        `${one.host} (${one.pid})`,
        one.version,
        age(one.startedAtMs),
        String(one.documents),
        String(connections),
        last ? `${Math.round(last.loopDelayP99Ms)} ms` : '',
        last ? `${Math.round(last.rssBytes / mebibyte)} MiB` : '',
        one.drain.isDraining ? `draining, ${one.drain.connectionsLeft} left` : 'in service',
      ];
    }),
  );

export function queueTable({ isPaused, kinds, jobs, failed, workers }: QueueAnswer): string {
  const parts = [isPaused ? 'The queue is PAUSED.' : 'The queue is running.'];
  parts.push(
    textTable(
      ['KIND', 'WAITING', 'ACTIVE', 'DELAYED', 'OLDEST'],
      kinds.map((one) => [
        one.isPaused ? `${one.kind} (paused)` : one.kind,
        String(one.waiting),
        String(one.active),
        String(one.delayed),
        age(one.oldestAt),
      ]),
    ),
  );
  if (jobs.length > 0) {
    parts.push(
      textTable(
        ['JOB', 'STATE', 'ATTEMPTS', 'AGE', 'WHY NOT'],
        jobs.map((one) => [one.id, one.state, String(one.attempts), age(one.queuedAt), one.lastError ?? '']),
      ),
    );
  }
  if (failed.length > 0) {
    const rows = failed.map((one) => [one.id, age(one.failedAt), one.reason]);
    parts.push(textTable(['FAILED', 'AGO', 'WHY'], rows));
  }
  parts.push(`Workers: ${workers.map(({ name }) => name).join(', ') || 'none known'}`);
  return parts.join('\n\n');
}

export const configurationTable = ({ settings }: ConfigurationAnswer): string =>
  textTable(
    ['SETTING', 'DEFAULT', 'VALUE'],
    settings.map(({ variable, isDefault, value }) => [variable, isDefault ? 'yes' : 'no', value]),
  );

/** Rows below the names of their columns. The last column is not padded. Line ends in values become spaces. */
function textTable(names: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [names, ...rows].map((row) => row.map((cell) => cell.replace(/\s+/g, ' ') || '-'));
  const widths = names.map((_name, column) => Math.max(...lines.map((row) => row[column]!.length)));
  return lines
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** How long ago a time was: `12s`, `5m`, `3h`, `2d`. */
export function age(time: string | number | null): string {
  if (time === null) return '-';
  const seconds = Math.max(0, Math.round((Date.now() - new Date(time).getTime()) / 1_000));
  if (seconds < 120) return `${seconds}s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)}m`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)}h`;
  return `${Math.round(seconds / 86_400)}d`;
}
