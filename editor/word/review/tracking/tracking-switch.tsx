import { FilePenLine } from 'lucide-preact';
import { shownShortcut } from '../../../shell/actions.ts';
import { t } from '../../../strings/strings.ts';
import type { WordEditor } from '../../word-editor.ts';
import './tracking-switch.css';

/** Keys that switch tracking, as `prosemirror-keymap` names them. */
export const trackingKeys = 'Mod-Shift-e';

/** Says whether what one types is tracked, and switches it. */
export function TrackingSwitch({ editor }: { editor: WordEditor }) {
  const { review, role } = editor;
  if (!role.canEdit) return null;
  return (
    <button
      type="button"
      class="tracking-switch"
      aria-pressed={review.tracks.value}
      disabled={!review.maySwitch}
      title={`${t('review.track')} (${shownShortcut(trackingKeys)})`}
      onClick={() => review.switchTracking()}
    >
      <FilePenLine size={14} aria-hidden="true" />
      {t('review.track')}
    </button>
  );
}
