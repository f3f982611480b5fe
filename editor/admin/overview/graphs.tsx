import type { NodeSnapshot } from '../../../services/admin/api.ts';
import { t } from '../../strings/strings.ts';
import { count, milliseconds, percent, size } from '../formats.ts';
import { samplesOf } from './health.ts';
import { Sparkline } from './sparkline.tsx';

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
