import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDocx } from '../../converter/engines/ooxml/docx/docx-engine.ts';
import { packageRoot } from '../../platform/package-root.ts';
import { AdminClient } from '../support/admin-client.ts';
import { downloaded, hasBrowser, newContext, openBrowser } from '../support/browser.ts';
import { buildDocx } from '../support/docx-fixture.ts';
import { eventually } from '../support/eventually.ts';
import { testTimeoutMs } from '../support/patience.ts';

const terminal = '/usr/bin/script';
const hasTerminal = existsSync(terminal);
if (!hasTerminal) console.warn(`The first minute is skipped: there is no ${terminal}.`);

/**
 * The server as a newcomer starts it: the command of the README, in a terminal, without a setting but that its ports are
 * free ones. The directory is as good as a fresh checkout: what `npm start` needs in it, and no `./data`.
 */
class StartedByHand {
  readonly directory: string;
  readonly #terminal: ChildProcess;
  #output = '';

  private constructor(directory: string) {
    this.directory = directory;
    // `script` gives the command a terminal; the first line is the process that a signal is sent to.
    this.#terminal = spawn(terminal, ['-qefc', 'echo $$; exec npm start', '/dev/null'], {
      cwd: directory,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, TERM: 'xterm', PORT: '0', ADMIN_PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#terminal.stdout!.setEncoding('utf8').on('data', (text: string) => {
      this.#output += text;
    });
  }

  static async start(): Promise<StartedByHand> {
    const directory = await mkdtemp(path.join(os.tmpdir(), 'quire-first-minute-'));
    for (const name of ['package.json', 'scripts', 'bin']) {
      await symlink(path.join(packageRoot, name), path.join(directory, name));
    }
    const started = new StartedByHand(directory);
    const hasSettled = () => started.#hasEnded || started.output.includes('Ctrl-C');
    try {
      await eventually(hasSettled, Boolean);
      if (started.#hasEnded) throw new Error(`The server did not start:\n${started.output}`);
    } catch (error) {
      await started.stop();
      throw error;
    }
    return started;
  }

  get output(): string {
    return stripVTControlCharacters(this.#output).replaceAll('\r', '');
  }

  /** The address in the last words that ends like this. */
  address(end: string): string {
    const lastWords = this.output.slice(this.output.lastIndexOf('Open in a browser:'));
    const found = lastWords.split(/\s+/).find((word) => word.startsWith('http') && word.endsWith(end));
    if (found === undefined) throw new Error(`No address ends with ${end}:\n${this.output}`);
    return found;
  }

  /** Ends it as `kill` does; resolves with its exit code. */
  async stop(): Promise<number | null> {
    const pid = Number(/^\d+$/m.exec(this.output)?.[0]);
    if (!this.#hasEnded) {
      const ended = once(this.#terminal, 'close');
      process.kill(pid, 'SIGTERM');
      await ended;
    }
    await rm(this.directory, { recursive: true, force: true });
    return this.#terminal.exitCode;
  }

  get #hasEnded(): boolean {
    return this.#terminal.exitCode !== null || this.#terminal.signalCode !== null;
  }
}

// Where somebody runs this file alone it is built first, which takes as long as it takes.
beforeAll(async () => {
  await promisify(execFile)('npm', ['run', 'build'], { cwd: packageRoot });
}, 10 * testTimeoutMs);

describe.skipIf(!hasBrowser || !hasTerminal)('the first minute', () => {
  let started: StartedByHand;
  let browser: Browser;
  beforeAll(async () => {
    [started, browser] = await Promise.all([StartedByHand.start(), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await started?.stop();
  });

  it('[LG10] ends with where to click, and what it names is there', async () => {
    const { output } = started;
    expect(output).toContain('A converter is ready');
    // Nothing comes after it: this is what stays in sight.
    expect(output).toMatch(/Open in a browser:\n(?:\n| {2}.+\n)+Ctrl-C stops Quire\.\n\n$/);
    expect(output.match(/migration/g)).toHaveLength(1);
    expect((await fetch(started.address('/example/'))).status).toBe(200);
    const file = path.join(started.directory, 'data', 'admin-token');
    expect(output).toContain(file);
    const token = (await readFile(file, 'utf8')).trim();
    const { status } = await new AdminClient(started.address('/admin/'), token).ask('GET', 'session');
    expect(status).toBe(200);
  });

  it('[EX30] everything that somebody tries first works as it was started', async () => {
    const page = await (await newContext(browser, { viewport: { width: 1280, height: 860 } })).newPage();
    await page.goto(started.address('/example/'));
    const list = () => page.getByRole('link', { name: 'Documents' }).click();
    const row = (title: string) => page.locator('.document').filter({ hasText: title });
    for (const [template, text] of [
      ['Blank', ''],
      ['Letter', 'Dear'],
      ['Report', 'lending library'],
      ['Minutes', 'Apple trees'],
    ] as const) {
      await page
        .locator('.templates')
        .getByRole('button', { name: new RegExp(`^${template}(?! sheet)`) })
        .click();
      await editor(page).filter({ hasText: text }).waitFor();
      await list();
    }

    await row('Minutes').getByRole('link', { name: 'Open as two people' }).click();
    const [left, right] = [editor(page, 1), editor(page, 2)];
    await right.getByText('Apple trees along the south wall').waitFor();
    await left.getByText('Apple trees along the south wall').click();
    await page.keyboard.press('End');
    await page.keyboard.type(' by the gate');
    await right.getByText('Apple trees along the south wall by the gate').waitFor();
    await list();
    await row('Minutes').getByRole('button', { name: '2 versions' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download version 2' }).click(),
    ]);
    const saved = openDocx(await downloaded(download));
    expect(saved.doc.textContent).toContain('along the south wall by the gate');

    for (const [template, title] of [
      ['Blank sheet', ''],
      ['Schedule', 'Schedule'],
      ['Table with a chart', 'Lending library of tools'],
      ['Budget', 'Household budget'],
    ] as const) {
      await page
        .locator('.templates')
        .getByRole('button', { name: new RegExp(`^${template}`) })
        .click();
      await cell(page, 'A1').filter({ hasText: title }).waitFor({ state: 'attached' });
      await list();
    }
    await row('Budget').getByRole('link', { name: 'Open as two people' }).click();
    await cell(page, 'A1', 2).filter({ hasText: 'Household budget' }).waitFor({ state: 'attached' });
    await cell(page, 'A1', 1).waitFor({ state: 'attached' });
    await frame(page, 1).locator('.cell-input').press('Escape');
    await page.keyboard.type('Our budget');
    await page.keyboard.press('Enter');
    await cell(page, 'A1', 2).filter({ hasText: 'Our budget' }).waitFor({ state: 'attached' });
    await list();
    await row('Budget').getByRole('button', { name: '2 versions' }).waitFor();

    await page.locator('input[type=file]').setInputFiles({
      name: 'Contract.docx',
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(buildDocx({ paragraphs: ['Between the two of us'] })),
    });
    await row('Contract').getByRole('link', { name: 'Open Contract' }).click();
    await editor(page).getByText('Between the two of us').waitFor();
    await list();
    await page.getByRole('button', { name: 'More for Contract' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await row('Contract').waitFor({ state: 'detached' });
  });

  it('[FT52] a signal ends it in order, and no process of it is left', async () => {
    const postgres = await readFile(
      path.join(started.directory, 'data/postgres/data/postmaster.pid'),
      'utf8',
    );
    expect(await started.stop()).toBe(0);
    expect(started.output).toMatch(/Quire has stopped/);
    expect(existsSync(`/proc/${postgres.split('\n')[0]}`)).toBe(false);
  });
});

it('[EX31] the demonstration is told to its end, and what two people typed at once can be read', async () => {
  const { stdout } = await promisify(execFile)('npm', ['run', 'demo'], { cwd: packageRoot });
  expect(stdout).toContain('“Present: Ann (who was late), Bob, and a dozen bees. Bob brought cake.”');
  expect(stdout).toContain('callback with status 2; changes by Ann and Bob');
  const file = /^The assembled document is (.+)$/m.exec(stdout)![1]!;
  expect(openDocx(new Uint8Array(await readFile(file))).doc.textContent).toContain('Pears will follow.');
  await rm(path.dirname(file), { recursive: true });
});

/** An editor: that of the page, or of one of two people side by side. */
function frame(page: Page, side?: number) {
  return page.frameLocator(side === undefined ? 'iframe' : `.pane:nth-child(${side}) iframe`);
}

const editor = (page: Page, side?: number) => frame(page, side).locator('[contenteditable=true]');

/** A cell of a spreadsheet, as it is read aloud. */
const cell = (page: Page, name: string, side?: number) =>
  frame(page, side).locator(`[role="gridcell"][data-cell="${name}"]`);
