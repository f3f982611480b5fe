import { t } from '../../strings/strings.ts';
import { setSize } from '../commands/run-format.ts';
import type { Common } from '../styles/effective.ts';
import type { WordEditor } from '../word-editor.ts';

const points = [8, 9, 10, 10.5, 11, 12, 14, 16, 18, 20, 22, 24, 26, 28, 36, 48, 72];

export function SizeSelect({ editor, current }: { editor: WordEditor; current: Common<number> }) {
  const now = current === 'mixed' ? null : current / 2;
  const listed = now === null || points.includes(now) ? points : [...points, now].sort((a, b) => a - b);
  return (
    <select
      class="size-select"
      aria-label={t('toolbar.size')}
      title={t('toolbar.size')}
      value={now ?? ''}
      disabled={!editor.role.canEdit}
      onChange={(event) => editor.run(setSize(Math.round(Number(event.currentTarget.value) * 2)))}
    >
      {now === null && <option value="" />}
      {listed.map((size) => (
        <option key={size} value={size}>
          {size}
        </option>
      ))}
    </select>
  );
}
