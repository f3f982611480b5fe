import type { NodeSnapshot } from '../../../services/admin/api.ts';
import { Button } from '../../kit/button.tsx';
import { t } from '../../strings/strings.ts';
import { ago, count, fullTime, percent, size } from '../figures.ts';
import { cacheName } from '../names.ts';
import { NodeGraphs } from '../overview/node-graphs.tsx';
import { mayAct } from '../session.ts';
import { Badge } from '../shell/badge.tsx';

export interface NodePanelProps {
  node: NodeSnapshot;
  /** This page is asking this node. */
  isHere: boolean;
  onDrain: () => void;
  onUndrain: () => void;
}

export function NodePanel({ node, isHere, onDrain, onUndrain }: NodePanelProps) {
  const { isDraining, connectionsLeft } = node.drain;
  const connections = Object.entries(node.connections);
  return (
    <section class="panel" aria-label={t('admin.nodeTitle', { node: node.nodeId })}>
      <div class="panel-head">
        <h2>{t('admin.nodeTitle', { node: node.nodeId })}</h2>
        {isHere && <Badge>{t('admin.thisNode')}</Badge>}
        {isDraining && (
          <Badge tone="warning">
            {connectionsLeft === 0 ? t('admin.drained') : t('admin.draining', { count: connectionsLeft })}
          </Badge>
        )}
        <span class="header-space" />
        {mayAct() && (
          <Button onClick={isDraining ? onUndrain : onDrain}>
            {t(isDraining ? 'admin.undrain' : 'admin.drain')}
          </Button>
        )}
      </div>
      <dl class="facts">
        <div>
          <dt>{t('admin.version')}</dt>
          <dd>
            {node.version} · Node.js {node.node}
          </dd>
        </div>
        <div>
          <dt>{t('admin.host')}</dt>
          <dd>
            {node.host} ({node.pid})
          </dd>
        </div>
        <div>
          <dt>{t('admin.started')}</dt>
          <dd title={fullTime(node.startedAtMs)}>{ago(node.startedAtMs)}</dd>
        </div>
        <div>
          <dt>{t('admin.documents')}</dt>
          <dd>{count(node.documents)}</dd>
        </div>
        <div>
          <dt>{t('admin.connections')}</dt>
          <dd>
            {connections.map(([transport, open]) => `${count(open)} ${transport}`).join(', ')}
            {node.strangers > 0 && ` (${t('admin.strangers', { count: node.strangers })})`}
          </dd>
        </div>
        {node.caches.map(({ name, heldBytes, limitBytes, hitRate }) => (
          <div key={name}>
            <dt>
              {t('admin.caches')}: {cacheName(name)}
            </dt>
            <dd>
              {hitRate === null ? t('admin.notAsked') : t('admin.hitRate', { rate: percent(hitRate) })}
              {heldBytes !== null &&
                limitBytes !== null &&
                ` · ${t('admin.ofLimit', { held: size(heldBytes), limit: size(limitBytes) })}`}
            </dd>
          </div>
        ))}
      </dl>
      <NodeGraphs node={node} />
    </section>
  );
}
