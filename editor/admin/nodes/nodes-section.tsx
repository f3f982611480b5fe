import { useState } from 'preact/hooks';
import type { NodeSnapshot, OverviewAnswer } from '../../../services/admin/api.ts';
import { t } from '../../strings/strings.ts';
import { lookAround } from '../overview/health.ts';
import { usePolling } from '../polled.ts';
import { ask } from '../server.ts';
import { act } from '../session.ts';
import { ConfirmDialog } from '../shell/confirm-dialog.tsx';
import { SectionHead, Silent } from '../shell/section-head.tsx';
import { NodePanel } from './node-panel.tsx';

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
          title={t('admin.drainTitle', { node: draining.nodeId })}
          text={isAlone ? `${t('admin.drainText')} ${t('admin.drainAlone')}` : t('admin.drainText')}
          label={t('admin.drain')}
          onClose={() => setDraining(null)}
          onConfirm={() => void drain(draining, true)}
        />
      )}
    </main>
  );
}
