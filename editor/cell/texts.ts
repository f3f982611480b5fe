import { texts } from '../strings/en/page-cell.ts';
import { addTexts } from '../strings/strings.ts';

/** The texts that only this page has. */
addTexts(texts, {
  de: () => import('../strings/de/page-cell.ts'),
  ar: () => import('../strings/ar/page-cell.ts'),
});
