import { useState } from 'preact/hooks';
import type { DocumentsAnswer } from '../../../services/admin/api.ts';
import { type StringKey, t } from '../../strings/strings.ts';
import { stateNames } from '../names.ts';
import { usePolled } from '../polled.ts';
import { documentAddress, route, sectionAddress } from '../route.ts';
import { Missing, Pager, Pick, SearchField, SectionHead, Silent } from '../shell/section-parts.tsx';
import { DocumentDetails } from './document-details.tsx';
import { DocumentTable } from './document-table.tsx';

const limit = 50;
const orders: readonly (readonly [string, StringKey])[] = [
  ['recent', 'admin.orderRecent'],
  ['unsaved', 'admin.orderUnsaved'],
  ['key', 'admin.orderKey'],
];

/** Documents, and beside them the one that was chosen. */
export function DocumentsSection() {
  const [search, setSearch] = useState('');
  const [state, setState] = useState('');
  const [order, setOrder] = useState('recent');
  const [offset, setOffset] = useState(0);
  const query = new URLSearchParams({ search, order, limit: `${limit}`, offset: `${offset}` });
  if (state !== '') query.set('state', state);
  const { value, refresh } = usePolled<DocumentsAnswer>(`documents?${query}`);
  const chosen = route.value.document;
  const choose = (key: string | null) => {
    location.href = key === null ? sectionAddress('documents') : documentAddress(key);
  };
  const from =
    <Value,>(set: (value: Value) => void) =>
    (next: Value) => {
      set(next);
      setOffset(0);
    };
  return (
    <div class="beside">
      <main id="content" tabIndex={-1} class="section">
        <SectionHead title={t('admin.documents')}>
          <SearchField onSearch={from(setSearch)} />
          <Pick
            name={t('admin.state')}
            value={state}
            options={[['', 'admin.inUse'], ['all', 'admin.allStates'], ...Object.entries(stateNames)]}
            onPick={from(setState)}
          />
          <Pick name={t('admin.order')} value={order} options={orders} onPick={from(setOrder)} />
        </SectionHead>
        {!value && <p class="quiet">{t('common.loading')}</p>}
        {value && (
          <>
            <Missing from={value.missing} />
            <Silent nodes={value.silent} />
            {value.documents.length === 0 ? (
              <p class="empty">
                {t(search === '' && state === '' ? 'admin.noDocuments' : 'admin.nothingFound')}
              </p>
            ) : (
              <DocumentTable documents={value.documents} chosen={chosen} />
            )}
            <Pager offset={offset} limit={limit} total={value.total} onMove={setOffset} />
          </>
        )}
      </main>
      {chosen !== null && (
        <DocumentDetails key={chosen} documentKey={chosen} onClose={() => choose(null)} onChange={refresh} />
      )}
    </div>
  );
}
