import { effect, untracked } from '@preact/signals';
import type { Protection } from '../../../model/word/rights/document-rights.ts';
import { dismissNotice, notify } from '../../kit/notices.tsx';
import { t } from '../../strings/strings.ts';
import type { WordEditor } from '../word-editor.ts';

const topic = 'protection';

/** Whether this person may lift the protection that there is. */
export function mayLift({ mayProtect, protection }: WordEditor): boolean {
  return mayProtect && protection.kind.value !== null;
}

/** Lifts the protection, or asks for its password. */
export function beginLifting(editor: WordEditor): void {
  if (editor.protection.password) editor.dialog.value = 'liftProtection';
  else editor.protection.lift();
}

/** Says what a protection leaves to do, and when it is gone. The returned function ends that. */
export function noticeProtection(editor: WordEditor): () => void {
  let wasProtected = false;
  const say = (kind: Protection | null): void => {
    if (kind !== null) {
      const label = t('protection.lift');
      const action = mayLift(editor) ? { action: { label, run: () => beginLifting(editor) } } : {};
      notify({ text: t(`protection.${kind}`), kind: 'info', topic, stays: true, ...action });
    } else if (wasProtected) notify({ text: t('protection.lifted'), kind: 'info', topic });
    wasProtected = kind !== null;
  };
  const stop = effect(() => {
    const kind = editor.protection.kind.value;
    untracked(() => say(kind));
  });
  return () => {
    stop();
    dismissNotice(topic);
  };
}
