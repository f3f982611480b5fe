import { useState } from 'preact/hooks';
import type { NodeSnapshot, OverviewAnswer } from '../../../services/admin/api.ts';
import { Button } from '../../kit/button.tsx';
import { t } from '../../strings/strings.ts';
import { ago, count, fullTime, percent, size } from '../formats.ts';
import { cacheName, nodeName } from '../names.ts';
import { NodeGraphs } from '../overview/graphs.tsx';
import { lookAround } from '../overview/health.ts';
import { usePolling } from '../polled.ts';
import { ask } from '../server.ts';
import { act, mayAct } from '../session.ts';
import { ConfirmDialog } from '../shell/confirm-dialog.tsx';
import { Badge, Missing, SectionHead, Silent } from '../shell/section-parts.tsx';

/** The nodes of the installation, and what can be done with each. */
export function NodesSection() {
  const { value, refresh } = usePolling<OverviewAnswer>(lookAround);
  const [draining, setDraining] = useState<NodeSnapshot | null>(null);
  const drain = async ({ nodeId }: NodeSnapshot, begin: boolean) => {
    await act(
      () => ask(begin ? 'PUT' : 'DELETE', `nodes/${encodeURIComponent(nodeId)}/drain`, {}),
      () => t(begin ? 'admin.drainStarted' : 'admin.drainStopped'),
    );
    refresh();
  };
  const isAlone = value !== null && value.nodes.length + value.silent.length === 1;
  return (
    <main id="content" tabIndex={-1} class="section">
      <SectionHead title={t('admin.nodes')} />
      {!value && <p class="quiet">{t('common.loading')}</p>}
      {value && (
        <>
          <Missing from={value.missing} />
          <Silent nodes={value.silent} />
          {value.nodes.map((node) => (
            <NodePanel
              key={node.nodeId}
              node={node}
              isHere={node.nodeId === value.nodeId}
              onDrain={() => setDraining(node)}
              onUndrain={() => void drain(node, false)}
            />
          ))}
        </>
      )}
      {draining && (
        <ConfirmDialog
          title={t('admin.drainTitle', { node: nodeName(draining) })}
          text={isAlone ? `${t('admin.drainText')} ${t('admin.drainAlone')}` : t('admin.drainText')}
          label={t('admin.drain')}
          onClose={() => setDraining(null)}
          onConfirm={() => void drain(draining, true)}
        />
      )}
    </main>
  );
}

interface NodePanelProps {
  node: NodeSnapshot;
  /** This page is asking this node. */
  isHere: boolean;
  onDrain: () => void;
  onUndrain: () => void;
}

function NodePanel({ node, isHere, onDrain, onUndrain }: NodePanelProps) {
  const { isDraining, connectionsLeft } = node.drain;
  return (
    <section class="panel" aria-label={t('admin.nodeTitle', { node: nodeName(node) })}>
      <div class="panel-head">
        <h2>{t('admin.nodeTitle', { node: nodeName(node) })}</h2>
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
      <NodeFacts node={node} />
      <NodeGraphs node={node} />
    </section>
  );
}

/** Version, place, load and caches of a node. */
function NodeFacts({ node }: Pick<NodePanelProps, 'node'>) {
  const connections = Object.entries(node.connections);
  return (
    <dl class="facts">
      <div>
        <dt>{t('admin.nodeId')}</dt>
        <dd>{node.nodeId}</dd>
      </div>
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
  );
}
