import type { NodeSnapshot } from '../../../services/admin/api.ts';
import { t } from '../../strings/strings.ts';
import { count, milliseconds, percent, size } from '../formats.ts';
import { samplesOf } from './health.ts';
import './graphs.css';

/** How a node has been over the last minutes. */
export function NodeGraphs({ node }: { node: NodeSnapshot }) {
  const samples = samplesOf(node.nodeId);
  const valuesOf = <Name extends keyof (typeof samples)[number]>(name: Name) =>
    samples.map((one) => one[name]);
  const rate = (value: number) => count(value, 1);
  return (
    <div class="graphs">
      <Sparkline
        name={t('admin.graphLoop')}
        values={valuesOf('loopDelayP99Ms')}
        format={milliseconds}
        atLeast={50}
      />
      <Sparkline
        name={t('admin.graphGc')}
        values={valuesOf('gcMsPerS')}
        format={(value) => percent(value / 1_000, 1)}
        atLeast={50}
      />
      <Sparkline
        name={t('admin.graphCpu')}
        values={valuesOf('cpuPercent')}
        format={(value) => percent(value / 100)}
        atLeast={100}
      />
      <Sparkline
        name={t('admin.graphMemory')}
        values={valuesOf('rssBytes')}
        format={size}
        atLeast={2 ** 27}
      />
      <Sparkline name={t('admin.graphSaves')} values={valuesOf('savesPerS')} format={rate} atLeast={5} />
      <Sparkline
        name={t('admin.graphLatency')}
        values={valuesOf('savesP99Ms')}
        format={milliseconds}
        atLeast={50}
      />
      <Sparkline
        name={t('admin.graphConnections')}
        values={valuesOf('connections')}
        format={count}
        atLeast={10}
      />
    </div>
  );
}

interface SparklineProps {
  name: string;
  /** The oldest first; null: nothing was measured. */
  values: readonly (number | null)[];
  format: (value: number) => string;
  /** The smallest value that the full height may stand for, so that small noise looks small. */
  atLeast?: number;
}

const width = 150;
const height = 36;

/** A value over the last minutes, with its present and highest value. */
export function Sparkline({ name, values, format, atLeast = 1 }: SparklineProps) {
  const measured = values.filter((value) => value !== null);
  const most = Math.max(0, ...measured);
  const now = format(values.findLast((value) => value !== null) ?? 0);
  const top = Math.max(most, atLeast);
  const points = values.map((value, index) => {
    const x = width - (values.length - 1 - index);
    const y = height - 1 - ((value ?? 0) / top) * (height - 3);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  const first = width - (values.length - 1);
  return (
    <figure class="spark">
      <figcaption>
        <span>{name}</span>
        <strong>{now}</strong>
      </figcaption>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t('admin.graphText', { name, now, most: format(most) })}
      >
        {points.length > 1 && (
          <>
            <polygon points={`${first},${height} ${points.join(' ')} ${width},${height}`} />
            <polyline points={points.join(' ')} />
          </>
        )}
      </svg>
      <span class="spark-most" aria-hidden="true">
        {t('admin.atMost', { most: format(most) })}
      </span>
    </figure>
  );
}
