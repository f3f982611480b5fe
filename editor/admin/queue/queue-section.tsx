import { useState } from 'preact/hooks';
import type { JobAnswer, QueueAnswer } from '../../../services/admin/api.ts';
import { Button } from '../../kit/button.tsx';
import { type StringKey, t } from '../../strings/strings.ts';
import { ago, count } from '../formats.ts';
import { jobName } from '../names.ts';
import { usePolled } from '../polled.ts';
import { ask } from '../server.ts';
import { act, mayAct } from '../session.ts';
import { ConfirmDialog } from '../shell/confirm-dialog.tsx';
import { Badge, Missing, ScrollTable, SectionHead } from '../shell/section-parts.tsx';

/** The queue of jobs: what waits, what failed, and pausing it. */
export function QueueSection() {
  const { value, refresh } = usePolled<QueueAnswer>('queue');
  const [isPausing, setPausing] = useState(false);
  const [kindToPause, setKindToPause] = useState<string | null>(null);
  const switchKind = async (kind: string, action: 'pause' | 'resume') => {
    await act(
      () => ask('POST', `queue/${kind}/${action}`, {}),
      () => t(action === 'pause' ? 'admin.pauseKind' : 'admin.resumeKind', { kind: jobName(kind) }),
    );
    refresh();
  };
  const switchQueue = async (action: 'pause' | 'resume') => {
    await act(
      () => ask('POST', `queue/${action}`, {}),
      () => t(action === 'pause' ? 'admin.queuePaused' : 'admin.queueGoesOn'),
    );
    refresh();
  };
  return (
    <main id="content" tabIndex={-1} class="section">
      <SectionHead title={t('admin.queue')}>
        {value && mayAct() && (
          <Button
            kind={value.isPaused ? 'primary' : 'plain'}
            onClick={() => (value.isPaused ? void switchQueue('resume') : setPausing(true))}
          >
            {t(value.isPaused ? 'admin.resume' : 'admin.pause')}
          </Button>
        )}
      </SectionHead>
      {!value && <p class="quiet">{t('common.loading')}</p>}
      {value && <Missing from={value.missing} />}
      {value && (
        <Queue
          {...value}
          onPauseKind={setKindToPause}
          onResumeKind={(kind) => void switchKind(kind, 'resume')}
        />
      )}
      {kindToPause !== null && (
        <ConfirmDialog
          title={t('admin.pauseKindTitle', { kind: jobName(kindToPause) })}
          text={t('admin.pauseKindText')}
          label={t('admin.pause')}
          onClose={() => setKindToPause(null)}
          onConfirm={() => void switchKind(kindToPause, 'pause')}
        />
      )}
      {isPausing && (
        <ConfirmDialog
          title={t('admin.pauseTitle')}
          text={t('admin.pauseText')}
          label={t('admin.pause')}
          onClose={() => setPausing(false)}
          onConfirm={() => void switchQueue('pause')}
        />
      )}
    </main>
  );
}

interface QueueProps extends QueueAnswer {
  onPauseKind: (kind: string) => void;
  onResumeKind: (kind: string) => void;
}

function Queue({
  isPaused,
  kinds,
  jobs,
  failed,
  workers,
  conversions,
  onPauseKind,
  onResumeKind,
}: QueueProps) {
  return (
    <>
      {isPaused && (
        <p class="banner" role="status">
          {t('admin.paused')}
        </p>
      )}
      <KindTable kinds={kinds} onPauseKind={onPauseKind} onResumeKind={onResumeKind} />
      <h2>{t('admin.jobs')}</h2>
      {jobs.length === 0 ? <p class="empty">{t('admin.noJobs')}</p> : <JobTable jobs={jobs} />}
      <h2>{t('admin.failedJobs')}</h2>
      {failed.length === 0 && <p class="quiet">{t('admin.noFailedJobs')}</p>}
      <ul class="plain-list">
        {failed.map(({ id, kind, failedAt, reason }) => (
          <li key={`${id} ${failedAt}`}>
            <strong>{jobName(kind)}</strong> <span class="quiet small key">{id}</span> {ago(failedAt)}:{' '}
            {reason}
          </li>
        ))}
      </ul>
      <h2>{t('admin.workers')}</h2>
      {workers.length === 0 && <p class="quiet">{t('admin.noWorkers')}</p>}
      <ul class="plain-list">
        {workers.map(({ name, address }, index) => (
          <li key={`${name} ${index}`}>
            {name} {address && <span class="quiet">{address}</span>}
          </li>
        ))}
      </ul>
      <Conversions conversions={conversions} />
    </>
  );
}

/** How many jobs of each kind there are, and whether the kind is paused. */
function KindTable({
  kinds,
  onPauseKind,
  onResumeKind,
}: Pick<QueueProps, 'kinds' | 'onPauseKind' | 'onResumeKind'>) {
  return (
    <ScrollTable label={t('admin.kind')}>
      <thead>
        <tr>
          <th scope="col">{t('admin.kind')}</th>
          <th scope="col" class="number">
            {t('admin.waitingJobs')}
          </th>
          <th scope="col" class="number">
            {t('admin.activeJobs')}
          </th>
          <th scope="col" class="number">
            {t('admin.delayedJobs')}
          </th>
          <th scope="col">{t('admin.oldest')}</th>
          {mayAct() && <th scope="col">{t('admin.pause')}</th>}
        </tr>
      </thead>
      <tbody>
        {kinds.map(({ kind, waiting, active, delayed, oldestAt, isPaused: isKindPaused }) => (
          <tr key={kind}>
            <th scope="row">
              {jobName(kind)}
              {isKindPaused && <span class="quiet small key">{t('admin.kindPaused')}</span>}
            </th>
            <td class="number">{count(waiting)}</td>
            <td class="number">{count(active)}</td>
            <td class="number">{count(delayed)}</td>
            <td>{oldestAt ? ago(oldestAt) : '–'}</td>
            {mayAct() && (
              <td>
                <Button
                  kind={isKindPaused ? 'primary' : 'plain'}
                  aria-label={t(isKindPaused ? 'admin.resumeKind' : 'admin.pauseKind', {
                    kind: jobName(kind),
                  })}
                  onClick={() => (isKindPaused ? onResumeKind(kind) : onPauseKind(kind))}
                >
                  {t(isKindPaused ? 'admin.resume' : 'admin.pause')}
                </Button>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </ScrollTable>
  );
}

function Conversions({ conversions }: Pick<QueueProps, 'conversions'>) {
  return (
    <>
      <h2>{t('admin.conversions')}</h2>
      {conversions.length === 0 && <p class="quiet">{t('admin.noConversions')}</p>}
      <ul class="plain-list">
        {conversions.map((one) => (
          <li key={one.id}>
            <strong>
              {one.fromType} → {one.toType}
            </strong>{' '}
            <Badge tone={one.state === 'failed' ? 'bad' : 'plain'}>
              {t(one.state === 'failed' ? 'admin.stateFailed' : 'admin.waitingJobs')}
            </Badge>{' '}
            <span class="quiet">{ago(one.endedAt ?? one.askedAt)}</span> {one.message}
          </li>
        ))}
      </ul>
    </>
  );
}

const stateNames: Readonly<Record<JobAnswer['state'], StringKey>> = {
  waiting: 'admin.waitingJobs',
  active: 'admin.activeJobs',
  delayed: 'admin.delayedJobs',
};

function JobTable({ jobs }: { jobs: readonly JobAnswer[] }) {
  return (
    <ScrollTable label={t('admin.jobs')}>
      <thead>
        <tr>
          <th scope="col">{t('admin.job')}</th>
          <th scope="col">{t('admin.state')}</th>
          <th scope="col" class="number">
            {t('admin.attempts')}
          </th>
          <th scope="col">{t('admin.oldest')}</th>
          <th scope="col">{t('admin.why')}</th>
        </tr>
      </thead>
      <tbody>
        {jobs.map((job) => (
          <tr key={job.id}>
            <th scope="row">
              {jobName(job.kind)}
              <span class="quiet small key">{job.id}</span>
            </th>
            <td>{t(stateNames[job.state])}</td>
            <td class="number">{count(job.attempts)}</td>
            <td>
              {job.startedAt
                ? t('admin.running', { when: ago(job.startedAt) })
                : t('admin.queuedAt', { when: ago(job.queuedAt) })}
            </td>
            <td>{job.lastError ?? '–'}</td>
          </tr>
        ))}
      </tbody>
    </ScrollTable>
  );
}
