import axe from 'axe-core';
import type { Frame, Page } from 'playwright-core';

/** WCAG 2.2 A and AA, and best practices. */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * What axe finds wrong on a page or in a frame, a sentence for each place.
 *
 * @param where the page, without what is in its frames
 * @param part selector of the part to look at; everything unless given, with the rules for whole pages
 */
export async function violations(where: Page | Frame, part = 'html'): Promise<string[]> {
  // The policy of our pages lets no script in; what a debugger evaluates is no script of the page.
  if (!(await where.evaluate(() => 'axe' in globalThis))) await where.evaluate(axe.source);
  return where.evaluate(
    async ([values, within]) => {
      const { axe: checker } = globalThis as unknown as { axe: typeof axe };
      const found = await checker.run(within, {
        iframes: false,
        resultTypes: ['violations'],
        runOnly: { type: 'tag', values },
      });
      return found.violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
      );
    },
    [tags, part] as const,
  );
}
