import { texts } from '../strings/en/page-wopi.ts';
import { addTexts } from '../strings/strings.ts';

/** The texts that only this page has. */
addTexts(texts, {
  de: () => import('../strings/de/page-wopi.ts'),
  ar: () => import('../strings/ar/page-wopi.ts'),
});
