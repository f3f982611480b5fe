import { useComputed } from '@preact/signals';
import {
  AlignCenter,
  AlignJustify,
  AlignLeft,
  AlignRight,
  Baseline,
  Bold,
  ChevronDown,
  Highlighter,
  ImagePlus,
  Indent,
  Italic,
  Link,
  List,
  ListOrdered,
  ListTree,
  type LucideIcon,
  MessageSquarePlus,
  Outdent,
  Redo2,
  RemoveFormatting,
  Search,
  Strikethrough,
  Subscript,
  Superscript,
  Table,
  Underline,
  Undo2,
  UnfoldVertical,
} from 'lucide-preact';
import { IconButton } from '../../kit/button.tsx';
import { ColorButton } from '../../kit/color-button.tsx';
import { MenuButton } from '../../kit/menu.tsx';
import { Toolbar, ToolbarGap } from '../../kit/toolbar.tsx';
import { shownShortcut } from '../../shell/actions.ts';
import { t } from '../../strings/strings.ts';
import { type ActionName, actionOf } from '../commands/actions.ts';
import { setColor, setHighlight } from '../commands/run-format.ts';
import { effectiveRun } from '../styles/effective.ts';
import type { WordEditor } from '../word-editor.ts';
import { entriesOf } from './entries.ts';
import { FontSelect, SizeSelect, StyleSelect } from './format-selects.tsx';
import { highlightCss, highlightSwatches, textSwatches } from './palettes.ts';
import './format-toolbar.css';

const iconSize = 18;

/** Left to the menus where there is little room. */
const rare: readonly ActionName[] = ['superscript', 'subscript', 'strike', 'clearFormatting'];

interface Part {
  editor: WordEditor;
}

/** The controls that format the selection. */
export function FormatToolbar({ editor }: Part) {
  const disabled = !editor.role.canEdit;
  const run = useComputed(() => effectiveRun(editor.state.value, editor.styles));
  const { color, highlight } = run.value;
  const buttons = (...list: [ActionName, LucideIcon][]) =>
    list.map(([name, icon]) => <ActionButton key={name} editor={editor} name={name} icon={icon} />);
  return (
    <Toolbar label={t('toolbar.formatting')} class="format-toolbar" onEscape={() => editor.view?.focus()}>
      {buttons(['undo', Undo2], ['redo', Redo2])}
      <ToolbarGap />
      <StyleSelect editor={editor} />
      <FontSelect editor={editor} current={run.value.font} />
      <SizeSelect editor={editor} current={run.value.halfPoints} />
      <ToolbarGap />
      {buttons(
        ['bold', Bold],
        ['italic', Italic],
        ['underline', Underline],
        ['strike', Strikethrough],
        ['superscript', Superscript],
        ['subscript', Subscript],
      )}
      <ColorButton
        label={t('toolbar.textColor')}
        groups={() => [{ swatches: textSwatches() }]}
        current={color === 'mixed' ? null : color}
        css={color === 'mixed' || color === null ? null : `#${color}`}
        noneLabel={t('toolbar.automatic')}
        otherLabel={t('toolbar.otherColor')}
        onChoose={(value) => editor.run(setColor(editor.styles, value))}
        disabled={disabled}
      >
        <Baseline size={iconSize} />
      </ColorButton>
      <ColorButton
        label={t('toolbar.highlight')}
        groups={() => [{ swatches: highlightSwatches() }]}
        current={highlight === 'mixed' ? null : highlight}
        css={highlightCss(highlight)}
        noneLabel={t('toolbar.none')}
        onChoose={(value) => editor.run(setHighlight(editor.styles, value))}
        disabled={disabled}
      >
        <Highlighter size={iconSize} />
      </ColorButton>
      {buttons(['clearFormatting', RemoveFormatting])}
      <ToolbarGap />
      {buttons(
        ['alignLeft', AlignLeft],
        ['alignCenter', AlignCenter],
        ['alignRight', AlignRight],
        ['justify', AlignJustify],
      )}
      <MenuButton
        label={t('toolbar.spacing')}
        disabled={disabled}
        entries={() =>
          entriesOf(editor, ['singleSpacing', 'wideSpacing', 'doubleSpacing', '-', 'spacing', 'direction'])
        }
      >
        <UnfoldVertical size={iconSize} />
        <ChevronDown size={12} />
      </MenuButton>
      <ToolbarGap />
      {buttons(['bullets', List], ['numbers', ListOrdered])}
      <MenuButton
        label={t('toolbar.otherLists')}
        disabled={disabled}
        entries={() => entriesOf(editor, ['outline', 'letters', 'romans'])}
      >
        <ListTree size={iconSize} />
        <ChevronDown size={12} />
      </MenuButton>
      {buttons(['outdent', Outdent], ['indent', Indent])}
      <ToolbarGap />
      <DialogButton editor={editor} dialog="link" icon={Link} />
      <DialogButton editor={editor} dialog="picture" icon={ImagePlus} />
      <DialogButton editor={editor} dialog="table" icon={Table} />
      <ToolbarGap />
      {buttons(['comment', MessageSquarePlus])}
      <DialogButton editor={editor} dialog="find" icon={Search} />
    </Toolbar>
  );
}

function ActionButton({ editor, name, icon: Icon }: Part & { name: ActionName; icon: LucideIcon }) {
  const action = actionOf(name);
  const isOn = useComputed(() => action.isOn?.(editor.state.value, editor));
  const can = useComputed(() => editor.can(action.command(editor)));
  return (
    <IconButton
      label={t(action.label)}
      shortcut={shownShortcut(action.keys?.[0])}
      aria-pressed={isOn.value}
      class={rare.includes(name) ? 'toolbar-rare' : ''}
      disabled={!editor.role.canEdit || !can.value}
      // The press must not take the focus, and with it the selection, from the text.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => editor.run(action.command(editor))}
    >
      <Icon size={iconSize} />
    </IconButton>
  );
}

function DialogButton({
  editor,
  dialog,
  icon: Icon,
}: Part & { dialog: 'link' | 'picture' | 'table' | 'find'; icon: LucideIcon }) {
  const keys = { link: 'Mod-k', find: 'Mod-f', picture: undefined, table: undefined }[dialog];
  return (
    <IconButton
      label={t(`toolbar.${dialog}`)}
      shortcut={shownShortcut(keys)}
      aria-haspopup="dialog"
      disabled={dialog !== 'find' && !editor.role.canEdit}
      onClick={() => {
        // The dialog gives the focus back to what had it.
        editor.view?.focus();
        editor.dialog.value = dialog;
      }}
    >
      <Icon size={iconSize} />
    </IconButton>
  );
}
