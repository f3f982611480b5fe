import type { JobAnswer } from '../../../services/admin/api.ts';
import { type StringKey, t } from '../../strings/strings.ts';
import { ago, count } from '../figures.ts';
import { jobName } from '../names.ts';
import { ScrollTable } from '../shell/scroll-table.tsx';

const stateNames: Readonly<Record<JobAnswer['state'], StringKey>> = {
  waiting: 'admin.waitingJobs',
  active: 'admin.activeJobs',
  delayed: 'admin.delayedJobs',
};

export function JobTable({ jobs }: { jobs: readonly JobAnswer[] }) {
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
