import type { OverviewAnswer, UnsavedReason } from '../../../services/admin/api.ts';
import { type StringKey, t } from '../../strings/strings.ts';
import { count, since } from '../formats.ts';
import { nodeName } from '../names.ts';
import { usePolling } from '../polled.ts';
import { documentAddress, type Section, sectionAddress } from '../route.ts';
import { Missing, SectionHead, Silent } from '../shell/section-parts.tsx';
import { NodeGraphs, Sparkline } from './graphs.tsx';
import { lookAround, queueHistory } from './health.ts';
import { tooManyNewcomers } from './newcomers.ts';

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

const whyNames: Readonly<Partial<Record<UnsavedReason, StringKey>>> = {
  failing: 'admin.whyFailing',
  refused: 'admin.whyRefused',
  forgotten: 'admin.whyForgotten',
};

/** Documents that something keeps from being stored: since when, and why. */
function NotStored({ unsaved }: Pick<OverviewAnswer, 'unsaved'>) {
  const kept = unsaved?.documents.filter(({ why }) => whyNames[why] !== undefined) ?? [];
  if (kept.length === 0) return null;
  return (
    <section class="panel" aria-label={t('admin.notStored')}>
      <h2>{t('admin.notStored')}</h2>
      <ul>
        {kept.map(({ key, title, since: from, why, lastError }) => (
          <li key={key} class="bad">
            <a href={documentAddress(key)}>{title || key}</a> {since(from)}: {t(whyNames[why]!)}
            {lastError && <span class="quiet"> {lastError}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Says that more people come than can be let in. */
function TooMany({ nodes }: Pick<OverviewAnswer, 'nodes'>) {
  const newcomers = tooManyNewcomers(nodes);
  if (!newcomers) return null;
  const { enteredPerS, refusedPerS, waiting } = newcomers;
  return (
    <p class="banner" role="status">
      {t('admin.tooMany', {
        ...{ entered: count(enteredPerS, 0), refused: count(refusedPerS, 0), waiting: count(waiting) },
      })}
    </p>
  );
}

/** Shown for what is not known at present. */
const unknown = '–';

/** The numbers that show whether an operator has to do something. */
function Tiles({ documents, unsaved, unsavedSince, saves, queue }: OverviewAnswer) {
  const countOf = (value: number | undefined) => (value === undefined ? unknown : count(value));
  const longest = unsavedSince ? since(unsavedSince) : t('admin.everythingStored');
  return (
    <ul class="tiles">
      <Tile
        name={t('admin.beingEdited')}
        value={documents ? count(documents.open ?? 0) : unknown}
        section="documents"
      />
      <Tile name={t('admin.unsavedLongest')} value={unsaved ? longest : unknown} section="documents" />
      <Tile
        name={t('admin.savesFailing')}
        value={countOf(saves?.failing)}
        section="saves"
        isBad={saves !== null && saves.failing > 0}
      />
      <Tile
        name={t('admin.notHandedOver')}
        value={countOf(saves?.forgotten)}
        section="saves"
        isBad={saves !== null && saves.forgotten > 0}
      />
      <Tile name={t('admin.storedLastHour')} value={countOf(saves?.deliveredLastHour)} section="saves" />
      <Tile name={t('admin.jobsWaiting')} value={countOf(queue?.waiting)} section="queue" />
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
          <Missing from={value.missing} />
          <Silent nodes={value.silent} />
          {value.queue?.isPaused && (
            <p class="banner" role="status">
              {t('admin.paused')}
            </p>
          )}
          <TooMany nodes={value.nodes} />
          <NotStored unsaved={value.unsaved} />
          <Tiles {...value} />
          {value.nodes.map((node) => (
            <section
              key={node.nodeId}
              class="panel"
              aria-label={t('admin.nodeTitle', { node: nodeName(node) })}
            >
              <h2>
                {t('admin.nodeTitle', { node: nodeName(node) })}{' '}
                {node.host !== nodeName(node) && <span class="panel-place quiet">{node.host}</span>}
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
