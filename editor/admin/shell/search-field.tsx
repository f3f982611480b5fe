import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../strings/strings.ts';

const settleMs = 250;

/** Searches when somebody has stopped typing for a moment. */
export function SearchField({ onSearch }: { onSearch: (text: string) => void }) {
  const timer = useRef<ReturnType<typeof setTimeout>>();
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <input
      class="search"
      type="search"
      aria-label={t('admin.search')}
      placeholder={t('admin.search')}
      onInput={({ currentTarget }) => {
        clearTimeout(timer.current);
        timer.current = setTimeout(() => onSearch(currentTarget.value.trim()), settleMs);
      }}
    />
  );
}
