import { laterPart } from '../../kit/later.tsx';
import { notify } from '../../kit/notices.tsx';
import { t } from '../../strings/strings.ts';
import { functionNamed } from '../editing/functions.ts';
import { isFormula, typedTokens } from '../editing/typed-tokens.ts';

const foreignFunctions = laterPart(() => import('../editing/foreign-functions.ts'));

/** Says of a formula with the name of a function in another language what it is called; `change` is to put it right. */
export function tellForeignNames(text: string, change: (english: string) => void): void {
  if (!isFormula(text)) return;
  const isUnknown = typedTokens(text).some((one) => one.kind === 'function' && !functionNamed(one.text));
  if (!isUnknown) return;
  void foreignFunctions.load().then(
    (part) => {
      const found = part.inEnglish(text);
      if (!found) return;
      const { name, english } = found;
      notify({
        text: t('sheet.foreignName', { name, english }),
        kind: 'warning',
        topic: 'sheet-foreign',
        action: { label: t('sheet.useEnglish', { english }), run: () => change(found.text) },
      });
    },
    // The cell says by its error that there is no such function.
    () => undefined,
  );
}
