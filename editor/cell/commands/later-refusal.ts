import { laterPart } from '../../kit/later.tsx';

type Notices = typeof import('./refusal-notice.ts');

/** What is said of refused changes comes behind the first look at a page. */
const notices = laterPart(() => import('./refusal-notice.ts'));

/** Says why operations were not made; `refusal` is null where somebody holds their sheet. */
export function tellRefusal(...refused: Parameters<Notices['tellRefusal']>): void {
  void notices.loadOrTell().then((part) => part?.tellRefusal(...refused));
}

/** Says that a protection does not leave something to people, and which one it is. */
export function tellProtected(...refused: Parameters<Notices['tellProtected']>): void {
  void notices.loadOrTell().then((part) => part?.tellProtected(...refused));
}
