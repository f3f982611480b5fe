import { texts } from '../strings/en/page-example.ts';
import { addTexts } from '../strings/strings.ts';

/** The texts that only this page has. */
addTexts(texts, {
  de: () => import('../strings/de/page-example.ts'),
  ar: () => import('../strings/ar/page-example.ts'),
});
