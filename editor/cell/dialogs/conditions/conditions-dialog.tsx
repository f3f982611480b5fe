import { ArrowDown, ArrowUp, Pencil, Trash2 } from 'lucide-preact';
import { useState } from 'preact/hooks';
import type { FormatPatch } from '../../../../model/cell/cell-format.ts';
import { Button, IconButton } from '../../../kit/button.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { t } from '../../../strings/strings.ts';
import {
  type ConditionId,
  conditionsOf,
  draftOf,
  moveCondition,
  removeCondition,
} from '../../commands/conditions.ts';
import { areasName } from '../../commands/ruled-areas.ts';

import type { RuleDialogProps } from '../rule-dialog.ts';
import { ConditionForm, type EditedCondition } from './condition-form.tsx';
import { sampleStyle } from './condition-look.ts';
import { conditionName } from './condition-words.ts';

/** The rules of the sheet in their order, and one of them to make or change. */
export function ConditionsDialog({ editor, onClose }: RuleDialogProps) {
  const selected = areasName(editor.selection.value.ranges);
  const fresh: EditedCondition = {
    id: null,
    draft: { type: 'cellIs', operator: 'greaterThan' },
    areas: selected,
  };
  const rules = conditionsOf(editor);
  const [edited, setEdited] = useState<EditedCondition | null>(rules.length === 0 ? fresh : null);
  if (edited) {
    const leave = () => (conditionsOf(editor).length === 0 ? onClose() : setEdited(null));
    return <ConditionForm key="form" editor={editor} edited={edited} onClose={leave} />;
  }
  return (
    <Dialog
      key="list"
      title={t('rules.conditions')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={() => setEdited(fresh)}>{t('ruleDialogs.newCondition')}</Button>
          <Button kind="primary" onClick={onClose}>
            {t('common.close')}
          </Button>
        </>
      }
    >
      <p>{t('ruleDialogs.conditionOrder')}</p>
      <ol class="rule-list">
        {rules.map((rule, at) => (
          <ConditionEntry
            key={rule[0]}
            editor={editor}
            rule={rule}
            isFirst={at === 0}
            isLast={at === rules.length - 1}
            onEdit={setEdited}
          />
        ))}
      </ol>
    </Dialog>
  );
}

interface ConditionEntryProps extends Pick<RuleDialogProps, 'editor'> {
  rule: ConditionId;
  isFirst: boolean;
  isLast: boolean;
  onEdit: (edited: EditedCondition) => void;
}

function ConditionEntry({ editor, rule: [id, rule], isFirst, isLast, onEdit }: ConditionEntryProps) {
  const draft = draftOf(rule);
  const areas = areasName(rule.areas);
  const name = conditionName(draft, editor.page.settings.locale);
  const theme = editor.page.workbook.value.properties.theme?.colors;
  return (
    <li>
      <span>
        <span class="rule-sample" style={sampleStyle(rule.format as FormatPatch | undefined, theme)}>
          {name}
        </span>
        <small>{areas}</small>
      </span>
      <span class="rule-buttons">
        <IconButton
          label={t('ruleDialogs.earlierOf', { name })}
          disabled={isFirst}
          onClick={() => moveCondition(editor, id, -1)}
        >
          <ArrowUp size={16} />
        </IconButton>
        <IconButton
          label={t('ruleDialogs.laterOf', { name })}
          disabled={isLast}
          onClick={() => moveCondition(editor, id, 1)}
        >
          <ArrowDown size={16} />
        </IconButton>
        <IconButton label={t('ruleDialogs.changeOf', { name })} onClick={() => onEdit({ id, draft, areas })}>
          <Pencil size={16} />
        </IconButton>
        <IconButton label={t('ruleDialogs.deleteOf', { name })} onClick={() => removeCondition(editor, id)}>
          <Trash2 size={16} />
        </IconButton>
      </span>
    </li>
  );
}
