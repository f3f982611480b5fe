const rows = [
  ['quire_open', 'Document there to be edited'],
  ['quire_auth', 'Signed in'],
  ['quire_turn', 'Turn to save'],
  ['quire_save', 'Save acknowledged'],
  ['quire_delivery', 'Save seen by others'],
];
const counts = [
  ['quire_sessions', 'Documents opened'],
  ['quire_closes', 'Closed'],
  ['quire_saves', 'Saves'],
  ['quire_changes', 'Changes'],
  ['quire_received', 'Changes seen by others'],
  ['quire_refused_turns', 'Turns refused'],
  ['quire_errors', 'Errors'],
];
const stats = ['count', 'avg', 'med', 'p(90)', 'p(95)', 'p(99)', 'max'];

const shown = (value, stat) =>
  value === undefined ? '–' : stat === 'count' ? String(value) : `${Math.round(value * 10) / 10}`;

/** The metrics as lines, and whether each threshold was kept. */
function tablesOf({ settings, metrics }) {
  const times = rows.map(([name, title]) => [
    title,
    ...stats.map((stat) => shown(metrics[name]?.values[stat], stat)),
  ]);
  const totals = counts.map(([name, title]) => {
    const values = metrics[name]?.values ?? { count: 0, rate: 0 };
    return [title, String(values.count), shown(values.rate ?? 0)];
  });
  const kept = Object.entries(metrics).flatMap(([name, { thresholds = {} }]) =>
    Object.entries(thresholds).map(([rule, { ok }]) => [name, rule, ok ? 'kept' : 'BROKEN']),
  );
  const about = [
    ['Server', settings.baseUrl],
    ['Transport, model', `${settings.transport}, ${settings.model}`],
    [
      'Scale',
      `${settings.scale}: ${settings.connections} connections, ${settings.usersPerDocument} to a document`,
    ],
    ['Each', `${settings.savesPerMinute} saves of ${settings.changesPerSave} changes a minute`],
    ['Closing', `${settings.closePercentPerMinute} % of the documents a minute`],
    ['Time', `${settings.durationMs / 1_000} s, of which ${settings.rampMs / 1_000} s to open everything`],
  ];
  return [
    { title: 'Run', head: [], body: about },
    { title: 'Times, ms', head: ['', ...stats], body: times },
    { title: 'Counts', head: ['', 'total', 'a second'], body: totals },
    { title: 'Thresholds', head: ['metric', 'rule', ''], body: kept },
  ];
}

/** The summary for a terminal. */
export function textOf(summary) {
  const lines = tablesOf(summary).flatMap(({ title, head, body }) => {
    const all = head.length > 0 ? [head, ...body] : body;
    const widths = all[0]?.map((_, at) => Math.max(...all.map((row) => row[at].length))) ?? [];
    const line = (row) =>
      row.map((cell, at) => (at === 0 ? cell.padEnd : cell.padStart).call(cell, widths[at])).join('  ');
    return ['', title, ...all.map((row) => `  ${line(row)}`)];
  });
  return `${lines.join('\n')}\n\n`;
}

/** The summary as a page of its own. */
export function htmlOf(summary) {
  const cell = (tag) => (text) =>
    `<${tag}>${text.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign])}</${tag}>`;
  const tables = tablesOf(summary).map(
    ({ title, head, body }) =>
      `<h2>${title}</h2><table>${head.length > 0 ? `<tr>${head.map(cell('th')).join('')}</tr>` : ''}${body
        .map(
          (row) =>
            `<tr${row.includes('BROKEN') ? ' class="broken"' : ''}>${row.map(cell('td')).join('')}</tr>`,
        )
        .join('')}</table>`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Quire under load</title>
<style>body{font:15px/1.5 system-ui,sans-serif;margin:2rem;color:#1c2430}table{border-collapse:collapse}
td,th{padding:.2rem .8rem;border-bottom:1px solid #d5dae2;text-align:right}td:first-child,th:first-child{text-align:left}
.broken td{color:#b3261e;font-weight:600}</style><h1>Quire under load</h1>${tables.join('\n')}</html>
`;
}
