import type { Browser } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { openTestDatabase } from '../support/postgres.ts';
import { QuireProcess } from '../support/quire-process.ts';
import { IntegrationExample } from './integration-example.ts';

const secret = 'a secret that examples and server share in tests';

/** An integration example beside a server of its own, and a browser for those who use it. */
export class ExampleScene {
  readonly browser: Browser;
  readonly quire: QuireProcess;
  readonly example: IntegrationExample;
  readonly close: () => Promise<void>;

  private constructor({ browser, quire, example, close }: ExampleScene) {
    this.browser = browser;
    this.quire = quire;
    this.example = example;
    this.close = close;
  }

  /** @param environment further settings of the server @param port of the example, where it has to be known before */
  static async open(name: string, environment: NodeJS.ProcessEnv, port?: number): Promise<ExampleScene> {
    const ends: (() => Promise<unknown>)[] = [];
    const close = async () => {
      for (const end of ends.toReversed()) await end();
    };
    try {
      const database = await openTestDatabase();
      ends.push(() => database.close());
      const quire = await QuireProcess.start({
        ...{ DATABASE_URL: database.url, JWT_SECRET: secret, HOST: 'localhost' },
        ...{ CLOSING_GRACE_MS: '500', EXAMPLE_ENABLED: 'false', LIBREOFFICE: 'auto' },
        ...environment,
      });
      ends.push(() => quire.remove());
      const browser = await openBrowser();
      ends.push(() => browser.close());
      const at = { documentServer: quire.address, secret, ...(port !== undefined && { port }) };
      const example = await IntegrationExample.start(name, at);
      ends.push(() => example.close());
      return new ExampleScene({ browser, quire, example, close });
    } catch (error) {
      await close();
      throw error;
    }
  }
}
