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
  Italic,
  Link,
  type LucideIcon,
  MessageSquarePlus,
  PaintBucket,
  Percent,
  Redo2,
  RemoveFormatting,
  Search,
  Strikethrough,
  TableCellsMerge,
  Underline,
  Undo2,
  WrapText,
} from 'lucide-preact';
import { IconButton } from '../../kit/button.tsx';
import { ColorButton, type Swatch } from '../../kit/color-button.tsx';
import { MenuButton } from '../../kit/menu.tsx';
import { Toolbar, ToolbarGap } from '../../kit/toolbar.tsx';
import { shownShortcut } from '../../shell/actions.ts';
import { openDialog } from '../../shell/document-editor.ts';
import { t } from '../../strings/strings.ts';
import type { CellEditor } from '../cell-editor.ts';
import { type ActionName, actionOf } from '../commands/actions.ts';
import { formatSelection, setFillColor, setTextColor } from '../commands/formatting.ts';
import { beginComment } from '../comments/cell-comments.ts';
import { cssColor } from '../shown/sheet-colors.ts';
import { normalFont } from '../shown/sheet-view.ts';
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

const palette =
  '000000 434343 666666 999999 CCCCCC EFEFEF FFFFFF 1F3864 C00000 FF0000 FFC000 FFFF00 92D050 00B050 00B0F0 0070C0 002060 7030A0 F4CCCC FCE5CD FFF2CC D9EAD3 CFE2F3 D9D2E9'.split(
    ' ',
  );

/** Colours are named by their numbers: names of shades would be a guess in every language. */
const swatches = (): Swatch[] =>
  palette.map((value) => ({ value, css: `#${value}`, name: t('toolbar.color', { value: `#${value}` }) }));

/** What is done most with cells, as buttons. */
export function FormatToolbar({ editor }: { editor: CellEditor }) {
  const format = editor.formatAt(editor.selection.value.active);
  const theme = editor.workbook.value.properties.theme?.colors;
  const colorOf = (color: Parameters<typeof cssColor>[0]) =>
    cssColor(color, theme)?.slice(1).toUpperCase() ?? null;
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
        123
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
      <ColorButton
        label={t('toolbar.textColor')}
        swatches={swatches()}
        current={colorOf(format.font?.color)}
        noneLabel={t('toolbar.automatic')}
        otherLabel={t('toolbar.otherColor')}
        onChoose={(value) => after(() => setTextColor(editor, value))}
        disabled={disabled}
      >
        <Baseline size={iconSize} />
      </ColorButton>
      <ColorButton
        label={t('sheet.fillColor')}
        swatches={swatches()}
        current={format.fill?.pattern === 'solid' ? colorOf(format.fill.color) : null}
        noneLabel={t('toolbar.none')}
        otherLabel={t('toolbar.otherColor')}
        onChoose={(value) => after(() => setFillColor(editor, value))}
        disabled={disabled}
      >
        <PaintBucket size={iconSize} />
      </ColorButton>
      <MenuButton label={t('sheet.borders')} disabled={disabled} entries={() => entriesOf(editor, borders)}>
        <Grid2x2 size={iconSize} />
        <ChevronDown size={12} />
      </MenuButton>
      {buttons(['clearFormats', RemoveFormatting])}
      <ToolbarGap />
      {buttons(['alignLeft', AlignLeft], ['alignCenter', AlignCenter], ['alignRight', AlignRight])}
      {buttons(['wrap', WrapText], ['merge', TableCellsMerge])}
      <ToolbarGap />
      {buttons(['sortRising', ArrowDownAZ], ['sortFalling', ArrowUpAZ], ['filter', Filter])}
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
        if (!editor.commit()) return;
        action.run(editor);
        editor.focus();
      }}
    >
      <Icon size={iconSize} />
    </IconButton>
  );
}
