import type { Font } from '../../../model/cell/cell-format.ts';
import type { FormatSettings } from '../../../model/cell/formats/shown-value.ts';
import type { Sheet, Workbook } from '../../../model/cell/workbook.ts';
import { DrawnCells } from './drawn-cells.ts';
import { FormatLooks } from './format-looks.ts';

/** The font of everything that says no other. */
export const normalFont = ({ properties, formats }: Workbook): Font | undefined =>
  properties.styles?.Normal?.font ?? formats.at(0).font;

/** What is the same from one version of a workbook to the next, mostly: made anew only where it is not. */
export class SceneCache {
  #workbook: Workbook | null = null;
  #looks: FormatLooks | null = null;
  readonly #cells = new Map<
    string,
    { readonly about: string; readonly looks: FormatLooks; readonly cells: DrawnCells }
  >();

  /** How the formats of a workbook look. */
  looks(workbook: Workbook): FormatLooks {
    const before = this.#workbook;
    const isLike =
      before !== null &&
      before.properties.theme === workbook.properties.theme &&
      normalFont(before) === normalFont(workbook);
    if (!this.#looks || !isLike) {
      this.#looks = new FormatLooks(workbook.properties.theme?.colors, normalFont(workbook));
    }
    this.#workbook = workbook;
    return this.#looks;
  }

  /** The cells of a sheet as they are drawn. */
  cells(workbook: Workbook, { properties }: Sheet, settings: FormatSettings): DrawnCells {
    const hidesZeros = properties.hidesZeros === true;
    const showsFormulas = properties.showsFormulas === true;
    const isProtected = properties.protection !== undefined;
    const looks = this.looks(workbook);
    const key = `${hidesZeros} ${showsFormulas} ${isProtected}`;
    const about = `${settings.locale} ${settings.date1904}`;
    const known = this.#cells.get(key);
    if (known?.about === about && known.looks === looks) return known.cells;
    const cells = new DrawnCells({
      looks,
      // Formats are only ever added: what an earlier version says of one is true of the latest.
      formatOf: (index) => this.#workbook!.formats.at(index),
      settings,
      hidesZeros,
      showsFormulas,
      isProtected,
    });
    this.#cells.set(key, { about, looks, cells });
    return cells;
  }
}
