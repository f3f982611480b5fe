import type { DocumentsAnswer } from '../../../services/admin/api.ts';
import { t } from '../../strings/strings.ts';
import { ago, count, fullTime, list, since } from '../formats.ts';
import { personName, stateNames } from '../names.ts';
import { documentAddress } from '../route.ts';
import { Badge, type BadgeTone, ScrollTable } from '../shell/section-parts.tsx';

type Row = DocumentsAnswer['documents'][number];

const tones: Partial<Record<Row['state'], BadgeTone>> = {
  open: 'good',
  failed: 'bad',
  forgotten: 'bad',
};
const namesShown = 3;

/** The state of a document, in words. */
export function StateBadge({ state }: { state: Row['state'] }) {
  return <Badge tone={tones[state] ?? 'plain'}>{t(stateNames[state])}</Badge>;
}

/** Documents as a table; a click on one shows its details. */
export function DocumentTable({ documents, chosen }: { documents: readonly Row[]; chosen: string | null }) {
  return (
    <ScrollTable label={t('admin.documents')}>
      <thead>
        <tr>
          <th scope="col">{t('admin.document')}</th>
          <th scope="col">{t('admin.state')}</th>
          <th scope="col">{t('admin.people')}</th>
          <th scope="col" class="number">
            {t('admin.changes')}
          </th>
          <th scope="col">{t('admin.unsaved')}</th>
          <th scope="col">{t('admin.stored')}</th>
        </tr>
      </thead>
      <tbody>
        {documents.map((one) => (
          <tr key={one.key} class={one.key === chosen ? 'chosen' : ''}>
            <th scope="row">
              <a href={documentAddress(one.key)} aria-current={one.key === chosen ? 'true' : undefined}>
                {one.title}
              </a>
              <span class="quiet small key">{one.key}</span>
            </th>
            <td>
              <StateBadge state={one.state} />
            </td>
            <td title={list(one.people.map(personName))}>{whoIsIn(one)}</td>
            <td class="number">{count(one.changes)}</td>
            <td class={one.refusedSince ? 'bad' : ''}>{one.unsavedSince ? since(one.unsavedSince) : '–'}</td>
            <td title={one.storedAt ? fullTime(one.storedAt) : undefined}>
              {one.storedAt ? ago(one.storedAt) : t('admin.never')}
            </td>
          </tr>
        ))}
      </tbody>
    </ScrollTable>
  );
}

function whoIsIn({ people }: Row): string {
  if (people.length === 0) return '–';
  return people.length <= namesShown
    ? list(people.map(personName))
    : t('admin.peopleCount', { count: people.length });
}
