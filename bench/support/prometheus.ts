import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { packageRoot } from '../../platform/package-root.ts';
import { freePort } from '../../test/support/free-port.ts';

/** An alert as Prometheus tells of it. */
export interface Alert {
  labels: Readonly<Record<string, string>>;
  annotations: Readonly<Record<string, string>>;
  state: 'pending' | 'firing';
  activeAt: string;
}

interface Series {
  metric: Readonly<Record<string, string>>;
  values: readonly (readonly [timeS: number, value: string])[];
}

/** Prometheus with the rules that are shipped, on a free port, looking at servers of this machine. */
export class TestPrometheus {
  readonly #address: string;
  readonly #child: ChildProcess;
  readonly #directory: string;

  private constructor(address: string, child: ChildProcess, directory: string) {
    this.#address = address;
    this.#child = child;
    this.#directory = directory;
  }

  /** `everyS`: how often it looks, seconds; 15 in the configuration that is shipped. */
  static async start(targets: readonly string[], everyS: number): Promise<TestPrometheus> {
    const directory = await mkdtemp(path.join(os.tmpdir(), 'quire-prometheus-'));
    const port = await freePort();
    const rules = path.join(packageRoot, 'deploy', 'prometheus', 'alerts.yml');
    const config = {
      global: {
        scrape_interval: `${everyS}s`,
        evaluation_interval: `${everyS}s`,
        scrape_timeout: `${everyS}s`,
      },
      rule_files: [rules],
      scrape_configs: [{ job_name: 'quire', static_configs: [{ targets }] }],
    };
    // JSON is YAML.
    await writeFile(path.join(directory, 'prometheus.yml'), JSON.stringify(config));
    const child = spawn(
      'prometheus',
      [
        `--config.file=${directory}/prometheus.yml`,
        `--storage.tsdb.path=${directory}/data`,
        `--web.listen-address=127.0.0.1:${port}`,
        '--log.level=error',
      ],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    );
    const prometheus = new TestPrometheus(`http://127.0.0.1:${port}`, child, directory);
    while (!(await prometheus.#isReady())) {
      if (child.exitCode !== null) throw new Error(`Prometheus ended with ${child.exitCode}`);
      await delay(100);
    }
    return prometheus;
  }

  /** Those that fire or are about to. */
  async alerts(): Promise<readonly Alert[]> {
    const { alerts } = (await this.#ask('alerts')) as { alerts: Alert[] };
    return alerts;
  }

  /** What a metric was, every 15 s of a time. */
  async history(query: string, sinceMs: number): Promise<readonly Series[]> {
    const range = { query, start: String(sinceMs / 1_000), end: String(Date.now() / 1_000), step: '15' };
    const { result } = (await this.#ask(`query_range?${new URLSearchParams(range)}`)) as { result: Series[] };
    return result;
  }

  async close(): Promise<void> {
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await exited;
    await rm(this.#directory, { recursive: true, force: true });
  }

  async #ask(what: string): Promise<unknown> {
    const response = await fetch(`${this.#address}/api/v1/${what}`);
    return ((await response.json()) as { data: unknown }).data;
  }

  async #isReady(): Promise<boolean> {
    const response = await fetch(`${this.#address}/-/ready`).catch(() => null);
    return response?.ok === true;
  }
}
