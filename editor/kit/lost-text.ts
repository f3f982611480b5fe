import { t } from '../strings/strings.ts';
import { notify } from './notices.tsx';

/** So much of a text is said. */
const saidChars = 200;

/**
 * Says that the place is gone that something was being written for; what was written can be copied.
 * @param takesFocus whether the rest of what is being typed has to go nowhere
 */
export function tellLostText(
  sentence: 'sheet.typedIsGone' | 'review.writtenIsGone',
  text: string,
  takesFocus = false,
): void {
  if (text.trim() === '') return;
  const said = text.length > saidChars ? `${text.slice(0, saidChars)}…` : text;
  notify({
    text: t(sentence, { text: said }),
    kind: 'warning',
    topic: 'text-lost',
    stays: true,
    takesFocus,
    action: { label: t('actions.copy'), run: () => void navigator.clipboard?.writeText(text) },
  });
}
