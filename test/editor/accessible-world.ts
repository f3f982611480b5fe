import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildDocx } from '../support/docx-fixture.ts';
import { newName } from '../support/new-name.ts';
import { violations } from './axe.ts';
import { type EditorPage, type EditorVisit, EditorWorld } from './editor-world.ts';

/** Screenshots of the states are kept here when it is set. */
const shots = process.env.SCREENSHOTS_DIR;

export async function shoot({ page }: EditorPage, name: string): Promise<void> {
  if (shots) await page.screenshot({ path: path.join(shots, `editor-${name}.png`) });
}

/** The people of the suite that calls it: somebody opens a short document. */
export function accessibleWorld(): { visit(name: string, more?: Partial<EditorVisit>): Promise<EditorPage> } {
  let world: EditorWorld;
  let sourceUrl: string;
  beforeAll(async () => {
    world = await EditorWorld.open();
    const bytes = buildDocx({
      paragraphs: ['A heading', 'Some text of a paragraph that is read.', 'The end.'],
    });
    sourceUrl = world.world.integrator.serve('accessible.docx', { bytes });
    if (shots) await mkdir(shots, { recursive: true });
  });
  afterAll(() => world?.close());
  return {
    visit: (name, more) => world.visit({ key: newName(name), user: 'Ann Other', sourceUrl, ...more }),
  };
}

/** A look of the editor: the rule that is about it, its name, and how it is asked for. */
export type Look = readonly [rule: string, name: string, visit: Partial<EditorVisit>];

/** Registers for each look that axe finds nothing wrong, and that nothing is wider than the window. */
export function looksAreAccessible(
  { visit }: Pick<ReturnType<typeof accessibleWorld>, 'visit'>,
  looks: readonly Look[],
): void {
  it.for(looks)('[%s] in %s, too', async ([, name, more]) => {
    const ann = await visit(`axe-${name}`, more);
    expect(await violations(ann.frame)).toEqual([]);
    await shoot(ann, name);
    const overflow = await ann.frame.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
  });
}
