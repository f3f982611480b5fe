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
import type { CellFormat } from '../../../model/cell/cell-format.ts';
import { IconButton } from '../../kit/button.tsx';
import { MenuButton } from '../../kit/menu.tsx';
import { Toolbar, ToolbarGap } from '../../kit/toolbar.tsx';
import { shownShortcut } from '../../shell/actions.ts';
import { t } from '../../strings/strings.ts';
import type { CellEditor, DialogName } from '../cell-editor.ts';
import { type ActionName, actionOf } from '../commands/actions.ts';
import { commit } from '../commands/entering.ts';
import { takeFormats, togglePainter } from '../commands/format-painter.ts';
import { setFillColor, setTextColor } from '../commands/formatting.ts';
import { normalFont } from '../shown/scene-cache.ts';
import { CellColorButton } from './cell-color-button.tsx';
import { commentEntry, dialogEntry, type EntryName, entriesOf } from './entries.ts';
import { FontSelect, SizeSelect } from './format-selects.tsx';
import { isLeft, leavesAct } from './left-open.ts';
import { borders, numberFormats } from './menus.ts';
import './format-toolbar.css';

const iconSize = 16;

interface Part {
  editor: CellEditor;
}

/** What is done most with cells, as buttons. */
export function FormatToolbar({ editor }: Part) {
  const format = editor.page.formatAt(editor.selection.value.active);
  const { name: font = 'Calibri', size = 11 } = { ...normalFont(editor.page.workbook.value), ...format.font };
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
      <EntriesButton editor={editor} label={t('sheet.numberFormat')} names={numberFormats} icon={Hash} />
      <ToolbarGap />
      <FontSelect editor={editor} font={font} disabled={!mayFormat(editor)} />
      <SizeSelect editor={editor} size={size} disabled={!mayFormat(editor)} />
      <ToolbarGap />
      {buttons(['bold', Bold], ['italic', Italic], ['underline', Underline], ['strike', Strikethrough])}
      <TextColorButton editor={editor} format={format} />
      <FillColorButton editor={editor} format={format} />
      <EntriesButton editor={editor} label={t('sheet.borders')} names={borders} icon={Grid2x2} />
      {buttons(['clearFormats', RemoveFormatting])}
      <ToolbarGap />
      {buttons(['alignLeft', AlignLeft], ['alignCenter', AlignCenter], ['alignRight', AlignRight])}
      {buttons(['wrap', WrapText], ['merge', TableCellsMerge])}
      <ToolbarGap />
      {buttons(['sumUp', Sigma], ['sortRising', ArrowDownAZ], ['sortFalling', ArrowUpAZ], ['filter', Filter])}
      <ToolbarGap />
      <DialogButton editor={editor} name="link" icon={Link} />
      <DialogButton editor={editor} name="picture" icon={Image} />
      <CommentButton editor={editor} />
      <DialogButton editor={editor} name="find" icon={Search} />
    </Toolbar>
  );
}

const mayFormat = (editor: CellEditor): boolean => editor.canEdit && leavesAct(editor, 'formatCells');

interface FormatPart extends Part {
  /** That of the active cell. */
  format: CellFormat;
}

function TextColorButton({ editor, format }: FormatPart) {
  return (
    <CellColorButton
      editor={editor}
      label={t('toolbar.textColor')}
      color={format.font?.color}
      noneLabel={t('toolbar.automatic')}
      onChoose={(color) => {
        editor.focus();
        setTextColor(editor, color);
      }}
      disabled={!mayFormat(editor)}
    >
      <Baseline size={iconSize} />
    </CellColorButton>
  );
}

function FillColorButton({ editor, format }: FormatPart) {
  return (
    <CellColorButton
      editor={editor}
      label={t('sheet.fillColor')}
      color={format.fill?.pattern === 'solid' ? format.fill.color : undefined}
      noneLabel={t('toolbar.none')}
      onChoose={(color) => {
        editor.focus();
        setFillColor(editor, color);
      }}
      disabled={!mayFormat(editor)}
    >
      <PaintBucket size={iconSize} />
    </CellColorButton>
  );
}

interface EntriesButtonProps extends Part {
  label: string;
  names: readonly EntryName[];
  icon: LucideIcon;
}

/** A button with a menu. */
function EntriesButton({ editor, label, names, icon: Icon }: EntriesButtonProps) {
  return (
    <MenuButton label={label} disabled={!mayFormat(editor)} entries={() => entriesOf(editor, names)}>
      <Icon size={iconSize} />
      <ChevronDown size={12} />
    </MenuButton>
  );
}

interface DialogButtonProps extends Part {
  name: DialogName;
  icon: LucideIcon;
}

function DialogButton({ editor, name, icon: Icon }: DialogButtonProps) {
  const { label, shortcut, disabled, run } = dialogEntry(editor, name);
  return (
    <IconButton label={label} shortcut={shortcut} aria-haspopup="dialog" disabled={disabled} onClick={run}>
      <Icon size={iconSize} />
    </IconButton>
  );
}

function CommentButton({ editor }: Part) {
  const { label, shortcut, disabled, run } = commentEntry(editor);
  return (
    <IconButton label={label} shortcut={shortcut} disabled={disabled} onClick={run}>
      <MessageSquarePlus size={iconSize} />
    </IconButton>
  );
}

/** Takes formats for what is pressed next; pressed twice, for all that is until it is ended. */
function PainterButton({ editor }: Part) {
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

interface ActionButtonProps extends Part {
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
      disabled={!editor.canEdit || !isLeft(editor, name) || action.can?.(editor) === false}
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
