import { laterPart } from '../../kit/later.tsx';

/** What is said of pivot tables comes behind the first look at a page. */
export const pivotNotices = laterPart(() => import('./pivot-notice.ts'));
