import { t } from '../../strings/strings.ts';
import './empty-list.css';

/** What to do when there is nothing yet. */
export function EmptyList() {
  return (
    <div class="empty-list">
      <svg viewBox="0 0 160 100" width="160" height="100" aria-hidden="true" focusable="false">
        <g class="empty-sheet" transform="rotate(-7 60 55)">
          <rect x="32" y="14" width="58" height="76" rx="5" />
          <path d="M42 30h30M42 40h38M42 50h34" />
        </g>
        <g class="empty-sheet" transform="rotate(5 100 55)">
          <rect x="72" y="14" width="58" height="76" rx="5" />
          <path d="M82 30h30M82 40h38M82 50h22" />
        </g>
        <g class="empty-cursors">
          <path d="M104 44v14" stroke="#6b3fa0" />
          <rect x="104" y="38" width="22" height="8" rx="2" fill="#6b3fa0" />
          <path d="M96 66v14" stroke="#0b6b50" />
          <rect x="96" y="60" width="22" height="8" rx="2" fill="#0b6b50" />
        </g>
      </svg>
      <h3>{t('example.emptyTitle')}</h3>
      <p>{t('example.emptyText')}</p>
    </div>
  );
}
