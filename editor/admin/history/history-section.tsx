import { useMemo, useState } from 'preact/hooks';
import type { HistoryAnswer, HistoryMoment, NodeHistory } from '../../../services/admin/api.ts';
import { type StringKey, t } from '../../strings/strings.ts';
import { count, milliseconds, percent, seconds, size } from '../formats.ts';
import { usePolling } from '../polled.ts';
import { ask } from '../server.ts';
import { Missing, Pick, SectionHead, Silent } from '../shell/section-parts.tsx';
import { Chart, type ChartLine } from './chart.tsx';

const everyMs = 15_000;
/** What a node remembers, milliseconds. */
const keptMs = 2 * 3_600_000;

interface ChartOf {
  title: StringKey;
  /** Of each node; else of all nodes together: then the node that has seen most tells it. */
  of: 'each-node' | 'all-nodes';
  lines: readonly (readonly [name: keyof HistoryMoment, text: StringKey])[];
  format: (value: number) => string;
  atLeast: number;
}

const rate = (value: number) => count(value, 1);

const charts: readonly ChartOf[] = [
  {
    ...{ title: 'admin.graphSessions', of: 'each-node', format: rate, atLeast: 10 },
    lines: [['sessions', 'admin.graphSessions']],
  },
  {
    ...{ title: 'admin.graphSaves', of: 'each-node', format: rate, atLeast: 5 },
    lines: [['savesPerS', 'admin.graphSaves']],
  },
  {
    ...{ title: 'admin.graphLatency', of: 'each-node', format: milliseconds, atLeast: 50 },
    lines: [['savesP99Ms', 'admin.graphLatency']],
  },
  {
    ...{ title: 'admin.graphUnsaved', of: 'all-nodes', format: seconds, atLeast: 60 },
    lines: [['unsavedS', 'admin.graphUnsaved']],
  },
  {
    ...{ title: 'admin.graphPartsDown', of: 'each-node', format: rate, atLeast: 2 },
    lines: [['partsDown', 'admin.graphPartsDown']],
  },
  {
    ...{ title: 'admin.graphJobs', of: 'all-nodes', format: rate, atLeast: 10 },
    lines: [
      ['jobsWaiting', 'admin.waitingJobs'],
      ['jobsActive', 'admin.activeJobs'],
      ['jobsDelayed', 'admin.delayedJobs'],
    ],
  },
  {
    ...{ title: 'admin.graphJobRate', of: 'all-nodes', format: rate, atLeast: 10 },
    lines: [
      ['jobsDonePerMin', 'admin.jobsDone'],
      ['jobsFailedPerMin', 'admin.failedJobs'],
    ],
  },
  {
    ...{ title: 'admin.graphJobTime', of: 'all-nodes', format: milliseconds, atLeast: 100 },
    lines: [['jobMeanMs', 'admin.graphJobTime']],
  },
  {
    ...{ title: 'admin.graphCpu', of: 'each-node', format: (value) => percent(value / 100), atLeast: 100 },
    lines: [['cpuPercent', 'admin.graphCpu']],
  },
  {
    ...{ title: 'admin.graphMemory', of: 'each-node', format: size, atLeast: 2 ** 27 },
    lines: [['rssBytes', 'admin.graphMemory']],
  },
  {
    ...{ title: 'admin.graphLoop', of: 'each-node', format: milliseconds, atLeast: 50 },
    lines: [['loopDelayP99Ms', 'admin.graphLoop']],
  },
  {
    ...{ title: 'admin.graphLoopMost', of: 'each-node', format: milliseconds, atLeast: 50 },
    lines: [['loopDelayMaxMs', 'admin.graphLoopMost']],
  },
  {
    ...{ title: 'admin.graphGcMost', of: 'each-node', format: milliseconds, atLeast: 50 },
    lines: [['gcLongestMs', 'admin.graphGcMost']],
  },
  {
    ...{ title: 'admin.graphHeap', of: 'each-node', format: size, atLeast: 2 ** 26 },
    lines: [['heapUsedBytes', 'admin.graphHeap']],
  },
  {
    ...{
      title: 'admin.graphCacheHits',
      of: 'each-node',
      format: (value) => percent(value / 100),
      atLeast: 100,
    },
    lines: [['cacheHitPercent', 'admin.graphCacheHits']],
  },
];

const columns = charts.flatMap(({ lines }) => lines.map(([name]) => name));

const spans = [
  ['900', 'admin.last15Min'],
  ['3600', 'admin.lastHour'],
  ['7200', 'admin.last2Hours'],
] as const;

/** The last two hours of all nodes. */
export function HistorySection() {
  const [spanS, setSpanS] = useState('3600');
  const { value } = usePolling(lookBack, everyMs);
  return (
    <main id="content" tabIndex={-1} class="section">
      <SectionHead title={t('admin.history')}>
        <Pick name={t('admin.span')} value={spanS} options={spans} onPick={setSpanS} />
      </SectionHead>
      {!value && <p class="quiet">{t('common.loading')}</p>}
      {value && (
        <>
          <Missing from={value.missing} />
          <Silent nodes={value.silent} />
          <Charts nodes={value.nodes} spanMs={Number(spanS) * 1_000} />
        </>
      )}
    </main>
  );
}

function Charts({ nodes, spanMs }: { nodes: readonly NodeHistory[]; spanMs: number }) {
  const shown = useMemo(() => aligned(nodes, spanMs), [nodes, spanMs]);
  if (shown.atMs.length === 0) return <p class="empty">{t('admin.noHistory')}</p>;
  return (
    <div class="charts">
      {charts.map((chart) => (
        <Chart
          key={chart.title}
          title={t(chart.title)}
          atMs={shown.atMs}
          lines={linesOf(chart, shown.nodes)}
          spanMs={spanMs}
          format={chart.format}
          atLeast={chart.atLeast}
        />
      ))}
    </div>
  );
}

function linesOf({ of, lines }: ChartOf, nodes: readonly AlignedNode[]): ChartLine[] {
  const [[name]] = lines as [readonly [keyof HistoryMoment, StringKey]];
  if (of === 'each-node') return nodes.map((node) => ({ name: node.name, values: node.moments[name] }));
  const [longest] = [...nodes].sort((a, b) => b.known - a.known);
  return lines.map(([one, text]) => ({ name: t(text), values: longest!.moments[one] }));
}

interface AlignedNode {
  name: string;
  /** How many moments it has. */
  known: number;
  moments: Record<keyof HistoryMoment, (number | null)[]>;
}

/**
 * The nodes' histories on the same times, every 15 seconds; null where a node has no moment. A node that was started again goes
 * on under its name.
 */
function aligned(nodes: readonly NodeHistory[], spanMs: number): { atMs: number[]; nodes: AlignedNode[] } {
  const slotOf = (ms: number) => Math.round(ms / everyMs);
  const slots = nodes.flatMap(({ atMs }) => atMs.map(slotOf));
  if (slots.length === 0) return { atMs: [], nodes: [] };
  const last = Math.max(...slots);
  const first = Math.max(Math.min(...slots), last - spanMs / everyMs);
  const length = last - first + 1;
  const byName = new Map<string, AlignedNode>();
  for (const { name, atMs, moments } of nodes) {
    const node = byName.get(name) ?? { name, known: 0, moments: emptyMoments(length) };
    byName.set(name, node);
    for (const [index, ms] of atMs.entries()) {
      const place = slotOf(ms) - first;
      if (place < 0) continue;
      node.known += 1;
      for (const column of columns) node.moments[column][place] = moments[column]?.[index] ?? null;
    }
  }
  return {
    atMs: Array.from({ length }, (_, index) => (first + index) * everyMs),
    nodes: [...byName.values()].sort((a, b) => a.name.localeCompare(b.name)),
  };
}

const emptyMoments = (length: number): AlignedNode['moments'] =>
  Object.fromEntries(
    columns.map((name) => [name, new Array<number | null>(length).fill(null)] as const),
  ) as AlignedNode['moments'];

/** Of all nodes that this page has heard of, also of those that are gone. */
const remembered = new Map<string, NodeHistory>();
/** Until when it has heard of each node that answered the last time, milliseconds since 1970. */
let heardUntilMs = 0;

/** Asks for the moments that are not here yet. */
async function lookBack(): Promise<HistoryAnswer> {
  const answer = await ask<HistoryAnswer>('GET', `history?since=${heardUntilMs}`);
  for (const node of answer.nodes) {
    const before = remembered.get(node.nodeId);
    remembered.set(node.nodeId, before ? continued(before, node) : node);
  }
  const heard = answer.nodes.map(({ nodeId }) => remembered.get(nodeId)?.atMs.at(-1) ?? 0);
  heardUntilMs = heard.length > 0 ? Math.min(...heard) : 0;
  for (const [nodeId, { atMs }] of remembered) {
    if ((atMs.at(-1) ?? Date.now()) < Date.now() - keptMs) remembered.delete(nodeId);
  }
  return { ...answer, nodes: [...remembered.values()] };
}

/** A history with the moments that are younger than its last. */
function continued(before: NodeHistory, { atMs, moments }: NodeHistory): NodeHistory {
  const lastMs = before.atMs.at(-1) ?? 0;
  const from = before.atMs.filter((ms) => ms < Date.now() - keptMs).length;
  const newer = atMs.filter((ms) => ms <= lastMs).length;
  const joined = (old: readonly unknown[], now: readonly unknown[]) => [
    ...old.slice(from),
    ...now.slice(newer),
  ];
  return {
    ...before,
    atMs: joined(before.atMs, atMs) as number[],
    moments: Object.fromEntries(
      columns.map((name) => [name, joined(before.moments[name] ?? [], moments[name] ?? [])] as const),
    ) as NodeHistory['moments'],
  };
}
