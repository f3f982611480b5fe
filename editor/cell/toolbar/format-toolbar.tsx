import {
  AlignCenter,
  AlignLeft,
  AlignRight,
  ArrowDownAZ,
  ArrowUpAZ,
  Baseline,
  Bold,
  ChevronDown,
  DecimalsArrowLeft,
  DecimalsArrowRight,
  Filter,
  Grid2x2,
  Hash,
  Image,
  Italic,
  Link,
  type LucideIcon,
  MessageSquarePlus,
  PaintBucket,
  Paintbrush,
  Percent,
  Redo2,
  RemoveFormatting,
  Search,
  Sigma,
  Strikethrough,
  TableCellsMerge,
  Underline,
  Undo2,
  WrapText,
} from 'lucide-preact';
import { IconButton } from '../../kit/button.tsx';
import { MenuButton } from '../../kit/menu.tsx';
import { Toolbar, ToolbarGap } from '../../kit/toolbar.tsx';
import { shownShortcut } from '../../shell/actions.ts';
import { openDialog } from '../../shell/document-editor.ts';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { type ActionName, actionOf } from '../commands/actions.ts';
import { commit } from '../commands/entering.ts';
import { takeFormats, togglePainter } from '../commands/format-painter.ts';
import { formatSelection, setFillColor, setTextColor } from '../commands/formatting.ts';
import { beginComment } from '../comments/comment-actions.ts';
import { normalFont } from '../shown/scene-cache.ts';
import { CellColorButton } from './cell-color-button.tsx';
import { entriesOf } from './entries.ts';
import { borders, numberFormats } from './menus.ts';
import './format-toolbar.css';

const iconSize = 16;
const fonts = [
  'Calibri',
  'Arial',
  'Cambria',
  'Courier New',
  'Georgia',
  'Tahoma',
  'Times New Roman',
  'Verdana',
];
const sizes = [8, 9, 10, 11, 12, 14, 16, 18, 20, 24, 28, 36, 48, 72];

/** What is done most with cells, as buttons. */
export function FormatToolbar({ editor }: { editor: CellEditor }) {
  const format = editor.formatAt(editor.selection.value.active);
  const { name: font = 'Calibri', size = 11 } = { ...normalFont(editor.workbook.value), ...format.font };
  const disabled = !editor.canEdit;
  const after = (run: () => void) => {
    editor.focus();
    run();
  };
  const buttons = (...all: [ActionName, LucideIcon][]) =>
    all.map(([name, icon]) => <ActionButton key={name} editor={editor} name={name} icon={icon} />);
  return (
    <Toolbar label={t('toolbar.formatting')} class="format-toolbar" onEscape={() => editor.focus()}>
      {buttons(['undo', Undo2], ['redo', Redo2])}
      <PainterButton editor={editor} />
      <ToolbarGap />
      {buttons(
        ['percent', Percent],
        ['fewerDecimals', DecimalsArrowLeft],
        ['moreDecimals', DecimalsArrowRight],
      )}
      <MenuButton
        label={t('sheet.numberFormat')}
        disabled={disabled}
        entries={() => entriesOf(editor, numberFormats)}
      >
        <Hash size={iconSize} />
        <ChevronDown size={12} />
      </MenuButton>
      <ToolbarGap />
      <select
        aria-label={t('toolbar.font')}
        class="font-select"
        disabled={disabled}
        value={font}
        onChange={(event) => {
          const chosen = event.currentTarget.value;
          after(() => formatSelection(editor, { font: { name: chosen, scheme: null } }));
        }}
      >
        {[...new Set([font, ...fonts])].map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
      <select
        aria-label={t('toolbar.size')}
        disabled={disabled}
        value={size}
        onChange={(event) => {
          const chosen = Number(event.currentTarget.value);
          after(() => formatSelection(editor, { font: { size: chosen } }));
        }}
      >
        {[...new Set([size, ...sizes])]
          .toSorted((a, b) => a - b)
          .map((one) => (
            <option key={one}>{one}</option>
          ))}
      </select>
      <ToolbarGap />
      {buttons(['bold', Bold], ['italic', Italic], ['underline', Underline], ['strike', Strikethrough])}
      <CellColorButton
        editor={editor}
        label={t('toolbar.textColor')}
        color={format.font?.color}
        noneLabel={t('toolbar.automatic')}
        onChoose={(color) => after(() => setTextColor(editor, color))}
        disabled={disabled}
      >
        <Baseline size={iconSize} />
      </CellColorButton>
      <CellColorButton
        editor={editor}
        label={t('sheet.fillColor')}
        color={format.fill?.pattern === 'solid' ? format.fill.color : undefined}
        noneLabel={t('toolbar.none')}
        onChoose={(color) => after(() => setFillColor(editor, color))}
        disabled={disabled}
      >
        <PaintBucket size={iconSize} />
      </CellColorButton>
      <MenuButton label={t('sheet.borders')} disabled={disabled} entries={() => entriesOf(editor, borders)}>
        <Grid2x2 size={iconSize} />
        <ChevronDown size={12} />
      </MenuButton>
      {buttons(['clearFormats', RemoveFormatting])}
      <ToolbarGap />
      {buttons(['alignLeft', AlignLeft], ['alignCenter', AlignCenter], ['alignRight', AlignRight])}
      {buttons(['wrap', WrapText], ['merge', TableCellsMerge])}
      <ToolbarGap />
      {buttons(['sumUp', Sigma], ['sortRising', ArrowDownAZ], ['sortFalling', ArrowUpAZ], ['filter', Filter])}
      <ToolbarGap />
      <IconButton
        label={t('toolbar.link')}
        shortcut={shownShortcut('Mod-k')}
        aria-haspopup="dialog"
        disabled={disabled}
        onClick={() => {
          editor.dialog.value = 'link';
        }}
      >
        <Link size={iconSize} />
      </IconButton>
      <IconButton
        label={t('drawings.insertPicture')}
        aria-haspopup="dialog"
        disabled={disabled}
        onClick={() => {
          editor.dialog.value = 'picture';
        }}
      >
        <Image size={iconSize} />
      </IconButton>
      <IconButton
        label={t('review.comment')}
        shortcut={shownShortcut('Shift-F2')}
        disabled={!editor.role.canComment}
        onClick={() => beginComment(editor)}
      >
        <MessageSquarePlus size={iconSize} />
      </IconButton>
      <IconButton
        label={t('toolbar.find')}
        shortcut={shownShortcut('Mod-f')}
        aria-haspopup="dialog"
        onClick={() => openDialog(editor, 'find')}
      >
        <Search size={iconSize} />
      </IconButton>
    </Toolbar>
  );
}

/** Takes formats for what is pressed next; pressed twice, for all that is until it is ended. */
function PainterButton({ editor }: { editor: CellEditor }) {
  return (
    <IconButton
      label={t('sheet.paintFormat')}
      aria-pressed={editor.painter.value !== null}
      disabled={!editor.canEdit}
      onMouseDown={(event) => event.preventDefault()}
      onClick={({ detail }) => {
        if (!commit(editor)) return;
        if (detail > 1) takeFormats(editor, true);
        else togglePainter(editor);
        editor.focus();
      }}
    >
      <Paintbrush size={iconSize} />
    </IconButton>
  );
}

interface ActionButtonProps {
  editor: CellEditor;
  name: ActionName;
  icon: LucideIcon;
}

function ActionButton({ editor, name, icon: Icon }: ActionButtonProps) {
  const action = actionOf(name);
  return (
    <IconButton
      label={t(action.label)}
      shortcut={shownShortcut(action.keys?.[0])}
      aria-pressed={action.isOn?.(editor)}
      disabled={!editor.canEdit || action.can?.(editor) === false}
      // The press must not take the focus from the cells.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => {
        if (!commit(editor)) return;
        action.run(editor);
        editor.focus();
      }}
    >
      <Icon size={iconSize} />
    </IconButton>
  );
}
