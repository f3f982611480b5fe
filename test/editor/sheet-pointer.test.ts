import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { newName } from '../support/new-name.ts';
import { buildXlsx } from '../support/xlsx-fixture.ts';
import { type EditorPage, EditorWorld } from './editor-world.ts';
import { goTo, put, selected, shows } from './sheet-page.ts';

/** Headers are 38 pixels wide and 22 high, cells 64 by 20. */
const headers = { width: 38, height: 22 };
const cell = { width: 64, height: 20 };

type Point = readonly [x: number, y: number];

/** A mouse over the cells; places are counted from the corner of the grid. */
class GridMouse {
  readonly #editor: EditorPage;
  readonly #corner: { readonly x: number; readonly y: number };

  private constructor(editor: EditorPage, corner: { readonly x: number; readonly y: number }) {
    this.#editor = editor;
    this.#corner = corner;
  }

  static async over(editor: EditorPage): Promise<GridMouse> {
    return new GridMouse(editor, (await editor.frame.locator('.grid-scroller').boundingBox())!);
  }

  get #mouse() {
    return this.#editor.page.mouse;
  }

  async move([x, y]: Point): Promise<void> {
    await this.#mouse.move(this.#corner.x + x, this.#corner.y + y, { steps: 4 });
  }

  async click([x, y]: Point, options: { button?: 'right'; clickCount?: 2 } = {}): Promise<void> {
    await this.#mouse.click(this.#corner.x + x, this.#corner.y + y, options);
  }

  /** Presses at the first place and goes by the others; it is let go at the last. */
  async drag(...points: Point[]): Promise<void> {
    const [first, ...others] = points;
    await this.move(first!);
    await this.#mouse.down();
    for (const point of others) await this.move(point);
    await this.#mouse.up();
  }

  async press(point: Point): Promise<void> {
    await this.move(point);
    await this.#mouse.down();
  }

  release(): Promise<void> {
    return this.#mouse.up();
  }

  /** Does something with a key held. */
  async holding(key: string, act: () => Promise<void>): Promise<void> {
    await this.#editor.page.keyboard.down(key);
    await act();
    await this.#editor.page.keyboard.up(key);
  }
}

/** Where a cell is, as `B2`: in its middle, or so far from its left upper corner. */
function at(name: string, { x, y }: { x: number; y: number } = { x: 32, y: 10 }): Point {
  const column = name.charCodeAt(0) - 65;
  const row = Number(name.slice(1)) - 1;
  return [headers.width + column * cell.width + x, headers.height + row * cell.height + y];
}
/** The corner by which cells are filled. */
const handleOf = (name: string): Point => at(name, { x: cell.width - 1, y: cell.height - 1 });
const header = (column: string): Point => [at(`${column}1`)[0], headers.height / 2];
const rowHeader = (row: number): Point => [headers.width / 2, at(`A${row}`)[1]];

describe.skipIf(!hasBrowser)('a mouse over the cells', () => {
  let world: EditorWorld;
  let sourceUrl: string;
  beforeAll(async () => {
    world = await EditorWorld.open();
    const bytes = buildXlsx([
      ['Item', 'Price', 'Count'],
      ['Nails', 1, 4],
      ['Glue', 2, 1],
      ['Wood', 7, 2],
      ['Rope', 9, 3],
    ]);
    sourceUrl = world.world.integrator.serve('pointer.xlsx', { bytes });
  });
  afterAll(() => world?.close());

  const visit = () => world.visit({ key: newName('sheet'), user: 'ann', sourceUrl, documentType: 'cell' });
  const cursor = ({ frame }: EditorPage) =>
    frame.locator('.grid-scroller').evaluate((element) => (element as HTMLElement).style.cursor);
  const typedIn = ({ frame }: EditorPage) => frame.locator('.cell-input').inputValue();

  it('[XS61] [XS170] selects cells, rows and columns, more of them and further ones, also beyond the edge; two presses edit', async () => {
    const ann = await visit();
    const { frame, page } = ann;
    const mouse = await GridMouse.over(ann);
    await mouse.click(at('B2'));
    await selected(ann, 'B2');
    await mouse.drag(at('B2'), at('C3'), at('D4'), at('C4'));
    await selected(ann, 'B2:C4');
    await mouse.holding('Shift', () => mouse.click(at('D5')));
    await selected(ann, 'B2:D5');
    await mouse.holding('Control', () => mouse.drag(at('F2'), at('F3')));
    await selected(ann, 'F2:F3');
    await mouse.holding('Control', () => mouse.click(at('F3')));
    await selected(ann, 'F2');
    await mouse.holding('Control', () => mouse.drag(at('C3'), at('D4')));
    await mouse.holding('Control', () => mouse.drag(at('F3'), at('F4')));
    await selected(ann, 'F3:F4');
    await page.keyboard.type('twice');
    await page.keyboard.press('Control+Enter');
    for (const name of ['B2', 'D5', 'F2', 'F3']) await shows(ann, name, 'twice');
    await shows(ann, 'C3', '1');
    await page.keyboard.press('Control+z');
    await shows(ann, 'B2', '1');
    await mouse.click(header('B'));
    await selected(ann, 'B:B');
    await mouse.drag(header('B'), header('D'), header('C'));
    await selected(ann, 'B:C');
    await mouse.holding('Shift', () => mouse.click(header('D')));
    await selected(ann, 'B:D');
    await mouse.drag(rowHeader(2), rowHeader(4));
    await selected(ann, '2:4');
    await mouse.holding('Control', () => mouse.click(rowHeader(6)));
    await selected(ann, '6:6');
    await mouse.holding('Control', () => mouse.click(rowHeader(6)));
    await selected(ann, '2:4');
    await mouse.holding('Control', () => mouse.click(rowHeader(3)));
    await selected(ann, '2:2');
    await mouse.click([10, 10]);
    await selected(ann, 'A:XFD');
    await mouse.click(at('A2'));
    await mouse.click(at('A2'), { clickCount: 2 });
    await page.keyboard.type(' and more');
    await mouse.click(at('A4'));
    await shows(ann, 'A2', 'Nails and more');
    await selected(ann, 'A4');
    const { height } = (await frame.locator('.grid-scroller').boundingBox())!;
    await mouse.press(at('B2'));
    await mouse.move([at('B2')[0], height + 15]);
    await expect
      .poll(async () => Number((await frame.locator('.name-box').inputValue()).split(':B')[1]))
      .toBeGreaterThan(60);
    await mouse.release();
    expect(ann.problems).toEqual([]);
  });

  it('[XS62] [XS159] fills by the corner of what is selected, moves it by its edge, and says by the cursor what a press does', async () => {
    const ann = await visit();
    const { page } = ann;
    const mouse = await GridMouse.over(ann);
    await mouse.drag(at('B2'), at('B3'));
    await mouse.move(at('D8'));
    await expect.poll(() => cursor(ann)).toBe('cell');
    await mouse.move(handleOf('B3'));
    await expect.poll(() => cursor(ann)).toBe('crosshair');
    await mouse.move(at('B2', { x: 0, y: 14 }));
    await expect.poll(() => cursor(ann)).toBe('move');
    await mouse.drag(handleOf('B3'), at('B5'), at('B6'));
    await selected(ann, 'B2:B6');
    await shows(ann, 'B6', '5');
    await page.keyboard.press('Control+z');
    await shows(ann, 'B4', '7');
    // With Ctrl it repeats, where it would continue.
    await mouse.drag(at('B2'), at('B3'));
    await mouse.holding('Control', () => mouse.drag(handleOf('B3'), at('B5')));
    await shows(ann, 'B4', '1');
    await shows(ann, 'B5', '2');
    await page.keyboard.press('Control+z');
    await shows(ann, 'B5', '9');
    // Two presses fill as far as there is something beside it.
    await put(ann, 'D2', '=B2*10');
    await mouse.click(at('D2'));
    await mouse.click(handleOf('D2'), { clickCount: 2 });
    await selected(ann, 'D2:D5');
    await shows(ann, 'D5', '90');
    await mouse.drag(at('A2'), at('B3'));
    await mouse.drag(at('A2', { x: 0, y: 10 }), at('E6'), at('F7'));
    await selected(ann, 'F7:G8');
    await shows(ann, 'F7', 'Nails');
    await shows(ann, 'G8', '2');
    await shows(ann, 'A2', '');
    // References follow what is moved.
    await shows(ann, 'D3', '20');
    // What was copied comes to all that is selected.
    await mouse.click(at('D3'));
    await page.keyboard.press('Control+c');
    await mouse.click(at('I2'));
    await mouse.holding('Control', () => mouse.click(at('K4')));
    await page.keyboard.press('Control+v');
    for (const name of ['I2', 'K4']) await shows(ann, name, '0');
    expect(ann.problems).toEqual([]);
  });

  it('[XS63] makes rows and columns larger by their edges, all that are selected at once; two presses fit them', async () => {
    const ann = await visit();
    const { frame, page } = ann;
    const mouse = await GridMouse.over(ann);
    // The field that is typed in is as large as the active cell, and a border.
    const shownSize = async () => {
      const { width, height } = (await frame.locator('.cell-input').boundingBox())!;
      return [width - 1, height - 1];
    };
    const edgeOf = (column: string, by = 0): Point => [
      header(column)[0] + cell.width / 2 + by,
      headers.height / 2,
    ];
    await mouse.move(edgeOf('B'));
    await expect.poll(() => cursor(ann)).toBe('col-resize');
    await mouse.drag(edgeOf('B'), edgeOf('B', 36));
    await goTo(ann, 'B2');
    await expect.poll(shownSize).toEqual([100, 20]);
    await mouse.drag([19, 42], [19, 62]);
    await goTo(ann, 'B1');
    await expect.poll(shownSize).toEqual([100, 40]);
    await page.keyboard.press('Control+z');
    await expect.poll(shownSize).toEqual([100, 20]);
    await page.keyboard.press('Control+z');
    await expect.poll(shownSize).toEqual([64, 20]);
    await mouse.drag(header('B'), header('D'));
    await mouse.drag(edgeOf('C'), edgeOf('C', -20));
    for (const name of ['B1', 'D1']) {
      await goTo(ann, name);
      await expect.poll(shownSize).toEqual([44, 20]);
    }
    await put(ann, 'A7', 'a text that is wider than its column');
    await goTo(ann, 'A7');
    await mouse.click(edgeOf('A'), { clickCount: 2 });
    await expect.poll(async () => (await shownSize())[0]).toBeGreaterThan(150);
    expect(ann.problems).toEqual([]);
  });

  it('[XS131] [XS132] [XS133] [XS196] shows hidden rows and columns again by their edge, asks before cells that are dragged replace others, and turns the sheet', async () => {
    const ann = await visit();
    const { frame, page } = ann;
    const mouse = await GridMouse.over(ann);
    const edgeOfB = header('B')[0] + cell.width / 2;
    await goTo(ann, 'C1:D1');
    await page.keyboard.press('Control+0');
    // Before the edge it is that of the column which is seen, behind it that of those which are hidden.
    await mouse.drag([edgeOfB - 2, 10], [edgeOfB + 34, 10]);
    await mouse.click([edgeOfB + 36, 10], { clickCount: 2 });
    await mouse.click([edgeOfB + 37 + cell.width * 1.5, 50]);
    await selected(ann, 'D2');
    await page.keyboard.press('Control+9');
    await mouse.click([19, headers.height + cell.height + 2], { clickCount: 2 });
    await mouse.click(at('A2'));
    await selected(ann, 'A2');
    await mouse.drag(at('A2', { x: 20, y: 0 }), at('A4', { x: 20, y: 0 }));
    const question = frame.getByRole('dialog', { name: 'Replace cells' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await shows(ann, 'A4', 'Wood');
    await mouse.drag(at('A2', { x: 20, y: 0 }), at('A4', { x: 20, y: 0 }));
    await question.waitFor();
    await page.keyboard.press('Enter');
    await shows(ann, 'A4', 'Nails');
    await shows(ann, 'A2', '');
    // Browsers without a screen have no bars for scrolling: here is one at the left.
    await frame.locator('.grid-scroller').evaluate((scroller) => {
      scroller.style.borderLeft = '15px solid';
    });
    await frame.locator('.menu-bar').getByRole('button', { name: 'View', exact: true }).click();
    await frame.getByRole('menuitemcheckbox', { name: 'Sheet from right to left' }).click();
    const { x, y, width } = (await frame.locator('.grid-scroller').boundingBox())!;
    await mouse.click([width - headers.width - 20, at('A3')[1]]);
    await selected(ann, 'A3');
    const pressed = x + width - headers.width - 20;
    await page.mouse.click(pressed, y + at('A3')[1], { button: 'right' });
    await frame.locator('[role="menu"]').waitFor();
    const anchors = frame.locator('.cell-menu-anchor');
    const places = await Promise.all((await anchors.all()).map((anchor) => anchor.boundingBox()));
    expect(places.some((place) => Math.abs(place!.x - pressed) < 2)).toBe(true);
    expect(ann.problems).toEqual([]);
  });

  it('[XS125] rows are as high as the text needs that a change has put into them, unless somebody has chosen their height', async () => {
    const ann = await visit();
    const { frame, page } = ann;
    const heightOf = async (name: string) => {
      await goTo(ann, name);
      return (await frame.locator('.cell-input').boundingBox())!.height - 1;
    };
    const higher = (name: string, than: number) =>
      expect.poll(() => heightOf(name)).toBeGreaterThan(than + cell.height / 2);
    const plain = (name: string) => expect.poll(() => heightOf(name)).toBe(cell.height);
    const typeLines = async (...lines: string[]) => {
      for (const line of lines) {
        await page.keyboard.type(line);
        await page.keyboard.press(line === lines.at(-1) ? 'Enter' : 'Alt+Enter');
      }
    };
    await goTo(ann, 'A7');
    await typeLines('one', 'two', 'three');
    await higher('A7', 2 * cell.height);
    await plain('A8');
    await page.keyboard.press('Control+z');
    await plain('A7');
    await shows(ann, 'A7', '');
    await put(ann, 'A9', 'words that are long enough for four lines');
    await goTo(ann, 'A9');
    await frame.getByRole('button', { name: 'Wrap text' }).click();
    await higher('A9', 2 * cell.height);
    const mouse = await GridMouse.over(ann);
    const edge = header('A')[0] + cell.width / 2;
    await mouse.drag([edge, headers.height / 2], [edge + 400, headers.height / 2]);
    await plain('A9');
    await goTo(ann, 'A11');
    await ann.choose('Format', 'Row height');
    await frame.getByRole('dialog').locator('input').fill('40');
    await page.keyboard.press('Enter');
    await expect.poll(() => heightOf('A11')).toBe(2 * cell.height);
    await typeLines('one', 'two', 'three', 'four');
    await expect.poll(() => heightOf('A11')).toBe(2 * cell.height);
    expect(ann.problems).toEqual([]);
  });

  it('[XS126] [XS173] [XS174] rows and columns come between others by their edge with Shift, or cut or copied and put in; with Ctrl the edge copies', async () => {
    const ann = await visit();
    const { page } = ann;
    const mouse = await GridMouse.over(ann);
    await put(ann, 'E1', '=B2');
    await goTo(ann, '2:2');
    await mouse.holding('Shift', () =>
      mouse.drag(at('D2', { x: 20, y: 20 }), at('D4', { x: 20, y: 2 }), at('D4', { x: 20, y: 16 })),
    );
    await selected(ann, '4:4');
    await shows(ann, 'A4', 'Nails');
    await shows(ann, 'A2', 'Glue');
    await goTo(ann, 'E1');
    await expect.poll(() => ann.frame.locator('.formula-field textarea').inputValue()).toBe('=B4');
    await page.keyboard.press('Control+z');
    await shows(ann, 'A2', 'Nails');
    await goTo(ann, 'B:B');
    await page.keyboard.press('Control+x');
    await goTo(ann, 'A1');
    await page.keyboard.press('Control+Shift+Equal');
    await selected(ann, 'A:A');
    await shows(ann, 'A1', 'Price');
    await shows(ann, 'B1', 'Item');
    await shows(ann, 'C1', 'Count');
    await page.keyboard.press('Control+z');
    await shows(ann, 'A1', 'Item');
    await goTo(ann, '2:2');
    await page.keyboard.press('Control+c');
    await goTo(ann, 'A4');
    await page.keyboard.press('Control+Shift+Equal');
    await selected(ann, '4:4');
    await shows(ann, 'A4', 'Nails');
    await shows(ann, 'A5', 'Wood');
    await page.keyboard.press('Control+z');
    await shows(ann, 'A4', 'Wood');
    await goTo(ann, 'B2:B3');
    await page.keyboard.press('Control+c');
    await mouse.click(at('B4'), { button: 'right' });
    await ann.frame.getByRole('menuitem', { name: 'Insert copied or cut cells', exact: true }).click();
    await selected(ann, 'B4:B5');
    await shows(ann, 'B6', '7');
    await shows(ann, 'A5', 'Rope');
    await page.keyboard.press('Control+z');
    await shows(ann, 'B4', '7');
    await mouse.click(rowHeader(2));
    await mouse.holding('Control', () => mouse.click(rowHeader(4)));
    await page.keyboard.press('Control+Shift+Equal');
    await shows(ann, 'A2', '');
    await shows(ann, 'A4', 'Glue');
    await shows(ann, 'A5', '');
    await shows(ann, 'A6', 'Wood');
    await page.keyboard.press('Control+z');
    await shows(ann, 'A2', 'Nails');
    await goTo(ann, 'A2:A3');
    await mouse.holding('Control', () => mouse.drag(at('A2', { x: 20, y: 0 }), at('G5'), at('G6')));
    await selected(ann, 'G6:G7');
    await shows(ann, 'G7', 'Glue');
    await shows(ann, 'A2', 'Nails');
    expect(ann.problems).toEqual([]);
  });

  it('[XS127] a long text is scrolled within the formula bar, with its colours, and nothing of it is seen elsewhere', async () => {
    const ann = await visit();
    const { frame } = ann;
    const field = frame.locator('.formula-field textarea');
    await goTo(ann, 'E1');
    await field.fill(`=SUM(${Array.from({ length: 1_200 }, (_, row) => `A${row + 1}`).join(',')})`);
    const layers = () =>
      frame.evaluate(() =>
        [...document.querySelectorAll('.formula-field > *')].map((layer) => {
          const { clientWidth, scrollTop } = layer;
          const isCut =
            layer.scrollHeight > layer.clientHeight && getComputedStyle(layer).overflowY !== 'visible';
          return { clientWidth, scrollTop: Math.round(scrollTop), isCut };
        }),
      );
    const bar = (await field.boundingBox())!;
    await ann.page.mouse.move(bar.x + 20, bar.y + 20);
    await ann.page.mouse.wheel(0, -10_000);
    await expect.poll(async () => (await layers()).map(({ scrollTop }) => scrollTop)).toEqual([0, 0]);
    await ann.page.mouse.wheel(0, 300);
    await expect.poll(async () => (await layers()).map(({ scrollTop }) => scrollTop)).toEqual([300, 300]);
    const [colors, typed] = await layers();
    expect(colors).toEqual(typed);
    expect(colors!.isCut).toBe(true);
    expect(ann.problems).toEqual([]);
  });

  it('[XS128] [XS172] on a narrow page the tabs stay in sight beside what is selected adds up to; a menu has more of it told', async () => {
    const ann = await visit();
    await ann.page.setViewportSize({ width: 375, height: 667 });
    await goTo(ann, 'B2:C5');
    const sums = ann.frame.locator('.sheet-sums');
    await expect.poll(() => sums.textContent()).toContain('29');
    const [tab, sum, zoom] = await Promise.all(
      [ann.frame.getByRole('tab'), sums, ann.frame.locator('.zoom-control')].map((one) => one.boundingBox()),
    );
    expect(tab!.width).toBeGreaterThan(50);
    expect(tab!.x + tab!.width).toBeLessThanOrEqual(sum!.x);
    expect(sum!.x + sum!.width).toBeLessThanOrEqual(zoom!.x);
    expect(zoom!.x + zoom!.width).toBeLessThanOrEqual(375);
    await ann.page.setViewportSize({ width: 1200, height: 800 });
    const told = () => sums.locator('span').allTextContents();
    await expect.poll(told).toEqual(['Sum: 29', 'Average: 3.625', 'Count: 8']);
    await ann.frame.getByRole('button', { name: 'More of what is selected' }).click();
    await ann.frame.getByRole('menuitemcheckbox', { name: 'Minimum' }).click();
    await expect.poll(told).toEqual(['Sum: 29', 'Average: 3.625', 'Count: 8', 'Minimum: 1']);
    await sums.click({ button: 'right' });
    await ann.frame.getByRole('menuitemcheckbox', { name: 'Count of numbers' }).click();
    await expect.poll(told).toEqual(['Sum: 29', 'Average: 3.625', 'Count: 8', 'Numbers: 8', 'Minimum: 1']);
    expect(ann.problems).toEqual([]);
  });

  it('[XS24] [XS55] picks what a formula refers to, and paints what it selects with formats that were taken', async () => {
    const ann = await visit();
    const { frame, page } = ann;
    const mouse = await GridMouse.over(ann);
    await goTo(ann, 'E1');
    await page.keyboard.type('=SUM(');
    await mouse.click(at('B2'));
    await expect.poll(() => typedIn(ann)).toBe('=SUM(B2');
    await mouse.drag(at('B2'), at('B4'), at('B3'));
    await expect.poll(() => typedIn(ann)).toBe('=SUM(B2:B3');
    await mouse.holding('Shift', () => mouse.click(at('C4')));
    await expect.poll(() => typedIn(ann)).toBe('=SUM(B2:C4');
    await mouse.holding('Control', () => mouse.click(header('A')));
    await expect.poll(() => typedIn(ann)).toBe('=SUM(B2:C4,A:A');
    await mouse.drag(rowHeader(3), rowHeader(4));
    await expect.poll(() => typedIn(ann)).toBe('=SUM(B2:C4,3:4');
    await page.keyboard.press('Enter');
    await shows(ann, 'E1', '29');
    await goTo(ann, 'A2');
    await page.keyboard.press('Control+b');
    await frame.getByRole('button', { name: 'Paint format' }).click();
    await mouse.drag(at('B3'), at('C4'));
    const bold = frame.getByRole('button', { name: 'Bold' });
    await goTo(ann, 'C4');
    await expect.poll(() => bold.getAttribute('aria-pressed')).toBe('true');
    await goTo(ann, 'C5');
    await expect.poll(() => bold.getAttribute('aria-pressed')).toBe('false');
    expect(ann.problems).toEqual([]);
  });

  it('[XS64] opens menus for what is pressed, and the values of a filtered column and of a list by their buttons', async () => {
    const ann = await visit();
    const { frame, page } = ann;
    const mouse = await GridMouse.over(ann);
    const menu = frame.getByRole('menu', { name: 'What can be done here' });
    await mouse.drag(at('B2'), at('C3'));
    await mouse.click(at('C3'), { button: 'right' });
    await menu.waitFor();
    await selected(ann, 'B2:C3');
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    await mouse.click(at('B4'), { button: 'right' });
    await menu.waitFor();
    await selected(ann, 'B4');
    await page.keyboard.press('Escape');
    await mouse.click(header('B'), { button: 'right' });
    await frame.getByRole('menuitem', { name: 'Fit column width' }).waitFor();
    await selected(ann, 'B:B');
    await page.keyboard.press('Escape');
    await mouse.click(rowHeader(3), { button: 'right' });
    await frame.getByRole('menuitem', { name: 'Fit row height' }).waitFor();
    await selected(ann, '3:3');
    await page.keyboard.press('Escape');
    await goTo(ann, 'A1');
    await page.keyboard.press('Control+Shift+f');
    const button = at('B1', { x: cell.width - 8, y: 10 });
    await mouse.move(button);
    await expect.poll(() => cursor(ann)).toBe('pointer');
    await mouse.click(button);
    await frame.getByRole('dialog', { name: 'Filter' }).waitFor();
    await selected(ann, 'B1');
    await page.keyboard.press('Escape');
    await frame.getByRole('dialog', { name: 'Filter' }).waitFor({ state: 'detached' });
    expect(ann.problems).toEqual([]);
  });
});
