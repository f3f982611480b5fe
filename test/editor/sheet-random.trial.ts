import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textOfValue } from '../../model/cell/values.ts';
import { hasBrowser } from '../support/browser.ts';
import { CuttableProxy } from '../support/e2e-proxy.ts';
import { eventually } from '../support/eventually.ts';
import { randomFrom, seedsOf } from '../support/fault-random.ts';
import { newName } from '../support/new-name.ts';
import { propertySeed, seedVariable } from '../support/property-seed.ts';
import { buildXlsx } from '../support/xlsx-fixture.ts';
import { type EditorPage, EditorWorld } from './editor-world.ts';
import { delivered, goTo } from './sheet-page.ts';

const texts = ['alpha', '12', '=B2+1', '=SUM(B1:B6)', 'ä漢字', '7.5'];

/** One thing that somebody does at the keyboard. */
async function act({ page, frame }: EditorPage, random: () => number): Promise<void> {
  const { keyboard } = page;
  const one = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!;
  const choice = random();
  if (choice < 0.55) {
    await keyboard.type(one(texts));
    await keyboard.press(one(['Enter', 'Tab', 'ArrowUp']));
  } else if (choice < 0.75) await keyboard.press(one(['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight']));
  else if (choice < 0.79) await keyboard.press(one(['Shift+ArrowDown', 'Shift+ArrowRight']));
  else if (choice < 0.83) await keyboard.press(one(['Delete', 'Control+d', 'Control+r', 'Control+b']));
  else if (choice < 0.85) await keyboard.press('Control+y');
  else if (choice < 0.9) await keyboard.press('Control+z');
  else {
    await frame.locator('.menu-bar').getByRole('button', { name: 'Insert', exact: true }).click();
    await frame
      .locator('[role="menuitem"]')
      .nth(one([0, 1]))
      .click();
  }
}

/** What the first cells show, as they are read aloud. */
const shown = ({ frame }: EditorPage): Promise<Record<string, string>> =>
  frame
    .locator('[role="gridcell"]')
    .evaluateAll((cells) =>
      Object.fromEntries(
        cells
          .map((cell) => [cell.getAttribute('data-cell')!, cell.textContent ?? ''] as const)
          .filter(([, text]) => text !== ''),
      ),
    );

describe.skipIf(!hasBrowser)('people type at random in one spreadsheet', { timeout: 240_000 }, () => {
  let world: EditorWorld;
  beforeAll(async () => {
    world = await EditorWorld.open();
  });
  afterAll(() => world?.close());

  const drawn = propertySeed(process.env[seedVariable]) >>> 0;
  const walks = [
    ...seedsOf(['TG11', 3, 25, 1] as const, ['TG11', 3, 120, 2] as const),
    ['TG11', 3, 40, drawn] as const,
  ];
  it.for(walks)(
    '[%s] %i people, each %i actions, with lost connections, seed %i',
    async ([, count, actions, seed]) => {
      const { integrator, quire } = world.world;
      const key = newName(`sheet-random-${seed}`);
      const bytes = buildXlsx([
        ['a', 1, 2],
        ['b', 3, '=B1+B2'],
        ['c', 5, 6],
      ]);
      const sourceUrl = integrator.serve(`${key}.xlsx`, { bytes });
      const proxies = await Promise.all(Array.from({ length: count }, () => CuttableProxy.to(quire.address)));
      try {
        const people: EditorPage[] = [];
        for (const [index, { address }] of proxies.entries()) {
          const user = `user${index}`;
          people.push(await world.visit({ key, user, sourceUrl, address, documentType: 'cell' }));
        }
        await Promise.all(
          people.map(async (person, index) => {
            const random = randomFrom(seed + index * 7_919);
            for (let action = 0; action < actions; action++) {
              await act(person, random);
              if (random() < 0.04) proxies[index]!.cut();
            }
          }),
        );
        for (const person of people) {
          await person.saved();
          // Around the first cell the same cells are read everywhere.
          await person.page.keyboard.press('Escape');
          await goTo(person, 'A1');
        }
        const [first] = await eventually(
          () => Promise.all(people.map(shown)),
          (all) => all.every((one) => JSON.stringify(one) === JSON.stringify(all[0])),
        );
        expect(Object.keys(first!).length).toBeGreaterThan(5);
        for (const { problems } of people) {
          // A connection that was cut is an error for the console of a browser, and nothing else may be.
          expect(problems.filter((problem) => !/WebSocket|ERR_|Failed to load/.test(problem))).toEqual([]);
        }
        const { grid } = (await delivered(world, key, ...people)).sheets[0]!;
        for (const [name, text] of Object.entries(first!)) {
          const [, letter, number] = /^([A-Z])(\d+)$/.exec(name)!;
          const { value, formula } = grid.cell(Number(number) - 1, letter!.charCodeAt(0) - 65);
          if (!formula) expect([name, textOfValue(value)]).toEqual([name, text]);
        }
      } finally {
        await Promise.all(proxies.map((proxy) => proxy.close()));
      }
    },
  );
});
