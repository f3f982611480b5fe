import { ChevronLeft, ChevronRight } from 'lucide-preact';
import { IconButton } from '../../kit/button.tsx';
import { currentDirection, t } from '../../strings/strings.ts';

export interface PagerProps {
  offset: number;
  limit: number;
  total: number;
  onMove: (offset: number) => void;
}

/** Moves through a long list; shows nothing where all of it is on one page. */
export function Pager({ offset, limit, total, onMove }: PagerProps) {
  if (total <= limit && offset === 0) return null;
  const [Back, On] = currentDirection() === 'rtl' ? [ChevronRight, ChevronLeft] : [ChevronLeft, ChevronRight];
  return (
    <div class="pager">
      <IconButton
        label={t('admin.previous')}
        disabled={offset === 0}
        onClick={() => onMove(Math.max(0, offset - limit))}
      >
        <Back size={18} />
      </IconButton>
      <span>
        {t('admin.shownOf', {
          from: Math.min(total, offset + 1),
          to: Math.min(total, offset + limit),
          total,
        })}
      </span>
      <IconButton
        label={t('admin.next')}
        disabled={offset + limit >= total}
        onClick={() => onMove(offset + limit)}
      >
        <On size={18} />
      </IconButton>
    </div>
  );
}
