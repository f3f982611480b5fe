import type { OverviewAnswer } from '../../../services/admin/api.ts';
import { t } from '../../strings/strings.ts';
import { count, since } from '../formats.ts';
import { usePolling } from '../polled.ts';
import { type Section, sectionAddress } from '../route.ts';
import { SectionHead, Silent } from '../shell/section-parts.tsx';
import { NodeGraphs, Sparkline } from './graphs.tsx';
import { lookAround, queueHistory } from './health.ts';

interface TileProps {
  name: string;
  value: string;
  section: Section;
  isBad?: boolean;
}

function Tile({ name, value, section, isBad = false }: TileProps) {
  return (
    <li>
      <a class={`tile ${isBad ? 'tile-bad' : ''}`} href={sectionAddress(section)}>
        <span>{name}</span>
        <strong>{value}</strong>
      </a>
    </li>
  );
}

/** The numbers that show whether an operator has to do something. */
function Tiles({ documents, unsavedSince, saves, queue }: OverviewAnswer) {
  return (
    <ul class="tiles">
      <Tile name={t('admin.beingEdited')} value={count(documents.open ?? 0)} section="documents" />
      <Tile
        name={t('admin.unsavedLongest')}
        value={unsavedSince ? since(unsavedSince) : t('admin.everythingStored')}
        section="documents"
      />
      <Tile
        name={t('admin.savesFailing')}
        value={count(saves.failing)}
        section="saves"
        isBad={saves.failing > 0}
      />
      <Tile
        name={t('admin.notHandedOver')}
        value={count(saves.forgotten)}
        section="saves"
        isBad={saves.forgotten > 0}
      />
      <Tile name={t('admin.storedLastHour')} value={count(saves.deliveredLastHour)} section="saves" />
      <Tile name={t('admin.jobsWaiting')} value={count(queue.waiting)} section="queue" />
    </ul>
  );
}

/** Everything at a glance: what an operator has to do, and the health of the nodes. */
export function OverviewSection() {
  const { value } = usePolling(lookAround);
  return (
    <main id="content" tabIndex={-1} class="section">
      <SectionHead title={t('admin.overview')} />
      {!value && <p class="quiet">{t('common.loading')}</p>}
      {value && (
        <>
          <Silent nodes={value.silent} />
          {value.queue.isPaused && (
            <p class="banner" role="status">
              {t('admin.paused')}
            </p>
          )}
          <Tiles {...value} />
          {value.nodes.map((node) => (
            <section key={node.nodeId} class="panel" aria-label={t('admin.nodeTitle', { node: node.nodeId })}>
              <h2>
                {t('admin.nodeTitle', { node: node.nodeId })}{' '}
                <span class="panel-place quiet">{node.host}</span>
              </h2>
              <NodeGraphs node={node} />
            </section>
          ))}
          <section class="panel" aria-label={t('admin.queue')}>
            <h2>{t('admin.queue')}</h2>
            <div class="graphs">
              <Sparkline
                name={t('admin.graphQueue')}
                values={queueHistory.value}
                format={count}
                atLeast={10}
              />
            </div>
          </section>
        </>
      )}
    </main>
  );
}
