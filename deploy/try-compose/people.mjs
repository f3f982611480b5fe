import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { installPrograms } from '../../scripts/setup/programs.mjs';
import { until } from './until.mjs';

const chromiumFile = '/usr/bin/chromium';

/**
 * Two people who have the document of an integrator open in a browser. Resolves when both see all that was acknowledged before.
 */
export async function openDocument(integrator) {
  if (!existsSync(chromiumFile)) installPrograms({ chromium: 'chromium' });
  const browser = await chromium.launch({ executablePath: chromiumFile, args: ['--no-sandbox'] });
  const visit = async (name) => {
    const page = await (await browser.newContext()).newPage();
    const wrong = [];
    page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
    page.on(
      'response',
      (answer) => answer.status() >= 400 && wrong.push(`${answer.status()} ${answer.url()}`),
    );
    await page.goto(integrator.pageOf(name));
    const frame = page.frameLocator('iframe');
    const text = frame.locator('.ProseMirror').first();
    await text.waitFor({ timeout: 90_000 }).catch(async (error) => {
      const shown = await frame.locator('body').textContent({ timeout: 2_000 }).catch(String);
      throw new Error(
        `${name} sees no document (${error.name}) but "${shown}"; ${[...new Set(wrong)].join('; ')}`,
      );
    });
    const person = { name, page, text };
    for (const word of integrator.acknowledged) await sees(person, word);
    return person;
  };
  const people = [await visit('Ann'), await visit('Bob')];

  return {
    /** One of them types a word at the end, in turn; the other sees it, so it was acknowledged and sent on. */
    async type(word) {
      const [writer, reader] = people;
      people.reverse();
      await writer.text.click();
      await writer.page.keyboard.press('Control+End');
      await writer.page.keyboard.type(` ${word}`);
      await sees(reader, word);
      integrator.acknowledged.push(word);
    },
    leave: () => browser.close(),
  };
}

const sees = ({ name, text }, word) =>
  until(`${word} on ${name}'s page`, async () => (await text.textContent()).includes(word));
