import { useEffect, useState } from 'preact/hooks';
import type { ConfigurationAnswer } from '../../../services/admin/api.ts';
import { t } from '../../strings/strings.ts';
import { ask } from '../server.ts';
import { showProblem } from '../session.ts';
import { Badge, ScrollTable, SectionHead } from '../shell/section-parts.tsx';

/** The settings, which do not change while a server runs. */
export function ConfigurationSection() {
  const [answer, setAnswer] = useState<ConfigurationAnswer | null>(null);
  useEffect(() => {
    ask<ConfigurationAnswer>('GET', 'configuration').then(setAnswer, showProblem);
  }, []);
  return (
    <main id="content" tabIndex={-1} class="section">
      <SectionHead title={t('admin.configuration')} />
      <p class="quiet">{t('admin.settingsLead')}</p>
      {answer && (
        <ScrollTable label={t('admin.configuration')}>
          <thead>
            <tr>
              <th scope="col">{t('admin.variable')}</th>
              <th scope="col">{t('admin.value')}</th>
            </tr>
          </thead>
          <tbody>
            {answer.settings.map(({ variable, value, isDefault, isSecret, description }) => (
              <tr key={variable}>
                <th scope="row" title={description}>
                  <code>{variable}</code>
                </th>
                <td>
                  {isSecret ? t(isDefault ? 'admin.secretNotSet' : 'admin.secretSet') : value}{' '}
                  {isDefault && <Badge>{t('admin.defaultValue')}</Badge>}
                </td>
              </tr>
            ))}
          </tbody>
        </ScrollTable>
      )}
    </main>
  );
}
