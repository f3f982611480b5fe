import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { goProgram } from '../support/go-program.ts';
import { Scene, sceneSecret } from '../support/scene.ts';

const k6 = process.env.K6_BIN ?? goProgram('k6');
/** What is said where there is none. */
const needsK6 = k6
  ? ''
  : ' (skipped: k6 is missing; `npm run trials` builds it with Go, or K6_BIN names one)';
const scenario = fileURLToPath(new URL('../../k6/hour.js', import.meta.url));

interface Summary {
  metrics: Record<string, { values: Record<string, number> }>;
}

describe.skipIf(!k6)(`the scenario of the hour${needsK6}`, () => {
  let scene: Scene;
  let directory: string;
  beforeAll(async () => {
    scene = await Scene.open({ tokens: true, environment: { CONVERTER_PROCESSES: '1' } });
    directory = await mkdtemp(path.join(os.tmpdir(), 'quire-k6-'));
  });
  afterAll(async () => {
    await scene?.close();
    if (directory) await rm(directory, { recursive: true });
  });

  const run = async (variables: Record<string, string>) => {
    const settings = {
      QUIRE_URL: scene.quire.address,
      DOCUMENT_URL: `${scene.integrator.address}/files/document.docx`,
      JWT_SECRET: sceneSecret,
      SCALE: '0.0012',
      DURATION: '15s',
      RAMP: '2s',
      USERS_PER_DOCUMENT: '3',
      SAVES_PER_MINUTE: '60',
      CHANGES_PER_SAVE: '5',
      CLOSE_PERCENT_PER_MINUTE: '400',
      CONNECTIONS_PER_VU: '5',
      // How fast it is here says nothing.
      OPEN_P95_MS: '60000',
      SAVE_P99_MS: '60000',
      DELIVERY_P99_MS: '60000',
      SUMMARY_DIR: directory,
      ...variables,
    };
    const given = Object.entries(settings).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
    return promisify(execFile)(k6!, ['run', '--quiet', ...given, scenario]);
  };

  it.for(['socketio', 'plain'])(
    '[KS1] people open, save, leave and come again over %s, and nothing is lost',
    async (transport) => {
      const key = scene.newKey();
      const CALLBACK_URL = scene.integrator.callbackUrl(key);
      const { stdout } = await run({ TRANSPORT: transport, CALLBACK_URL });
      const { metrics } = JSON.parse(await readFile(path.join(directory, 'summary.json'), 'utf8')) as Summary;
      const count = (name: string) => metrics[name]?.values.count ?? 0;
      expect(count('quire_errors')).toBe(0);
      expect(count('quire_sessions')).toBeGreaterThan(0);
      expect(count('quire_closes')).toBeGreaterThan(0);
      expect(count('quire_saves')).toBeGreaterThan(0);
      expect(count('quire_changes')).toBe(5 * count('quire_saves'));
      expect(count('quire_received')).toBeGreaterThan(0);
      expect(stdout).toContain('Save acknowledged');
      const page = await readFile(path.join(directory, 'summary.html'), 'utf8');
      expect(page).toContain('12 connections, 3 to a document');
      await eventually(
        async () =>
          (await scene.database.pool.query(`SELECT key FROM documents WHERE state NOT IN ('closed', 'idle')`))
            .rows,
        (open) => open.length === 0,
      );
      const skipped = await scene.database.pool.query('SELECT sum(skipped)::int AS skipped FROM saves');
      expect(skipped.rows[0].skipped).toBe(0);
    },
  );

  it('[KS2] a broken threshold and a server that is not there fail the run', async () => {
    await expect(run({ SAVE_P99_MS: '0', DURATION: '5s', RAMP: '1s' })).rejects.toMatchObject({ code: 99 });
    await expect(run({ QUIRE_URL: 'http://127.0.0.1:9', DURATION: '5s' })).rejects.toHaveProperty('code');
    await expect(run({ SCALE: 'much' })).rejects.toHaveProperty('stderr', expect.stringContaining('SCALE'));
  });
});
