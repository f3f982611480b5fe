import { useEffect, useState } from 'preact/hooks';
import type { SavesAnswer } from '../../../services/admin/api.ts';
import { t } from '../../strings/strings.ts';
import { phaseNames } from '../names.ts';
import { usePolled } from '../polled.ts';
import { route } from '../route.ts';
import { mayAct } from '../session.ts';
import { Missing, Pager, Pick, SearchField, SectionHead } from '../shell/section-parts.tsx';
import { RetryAll } from './retry-all.tsx';
import { SaveList } from './save-list.tsx';

const limit = 50;
const toDo = 'waiting,forgotten,abandoned';

/** Saves that are under way, failed or forgotten. */
export function SavesSection() {
  const [search, setSearch] = useState('');
  const { needsAttention } = route.value;
  const [phase, setPhase] = useState(needsAttention ? toDo : '');
  // The address may change while the section is shown.
  useEffect(() => {
    if (needsAttention) setPhase(toDo);
  }, [needsAttention]);
  const [offset, setOffset] = useState(0);
  const query = new URLSearchParams({ search, limit: `${limit}`, offset: `${offset}` });
  if (phase !== '') query.set('phase', phase);
  const { value, refresh } = usePolled<SavesAnswer>(`saves?${query}`);
  return (
    <main id="content" tabIndex={-1} class="section">
      <SectionHead title={t('admin.saves')}>
        <SearchField
          onSearch={(text) => {
            setSearch(text);
            setOffset(0);
          }}
        />
        <Pick
          name={t('admin.phase')}
          value={phase}
          options={[['', 'admin.allStates'], [toDo, 'admin.toDo'], ...Object.entries(phaseNames)]}
          onPick={(one) => {
            setPhase(one);
            setOffset(0);
          }}
        />
      </SectionHead>
      {!value && <p class="quiet">{t('common.loading')}</p>}
      {value && (
        <>
          <Missing from={value.missing} />
          {value.assembling > 0 && <p class="quiet">{t('admin.assembling', { count: value.assembling })}</p>}
          {mayAct() && phase === toDo && <RetryAll query={query} total={value.total} onChange={refresh} />}
          <div class="panel">
            <SaveList saves={value.saves} withDocument onChange={refresh} />
          </div>
          <Pager offset={offset} limit={limit} total={value.total} onMove={setOffset} />
        </>
      )}
    </main>
  );
}
