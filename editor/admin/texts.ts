import { texts } from '../strings/en/page-admin.ts';
import { addTexts } from '../strings/strings.ts';

/** The texts that only this page has. */
addTexts(texts, {
  de: () => import('../strings/de/page-admin.ts'),
  ar: () => import('../strings/ar/page-admin.ts'),
});
