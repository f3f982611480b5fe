import { until } from './until.mjs';

/** From a kill to the alert: two scrapes, a minute of patience, an evaluation. */
const alertTimeoutMs = 180_000;

/** Asks a Prometheus. */
export class Monitoring {
  constructor(address) {
    this.address = address;
  }

  async #ask(path, parameters = {}) {
    const answer = await fetch(`${this.address}/api/v1/${path}?${new URLSearchParams(parameters)}`);
    const { status, data, error } = await answer.json();
    if (status !== 'success') throw new Error(`${path}: ${error}`);
    return data;
  }

  /** Waits until each job has as many targets as named, and all of them answer. */
  scrapes = (targetsByJob, timeoutMs) =>
    until(
      'answers to Prometheus',
      async () => {
        const { activeTargets } = await this.#ask('targets');
        const silent = activeTargets.filter(({ health }) => health !== 'up');
        if (silent.length > 0)
          throw new Error(silent.map(({ scrapeUrl, lastError }) => `${scrapeUrl}: ${lastError}`).join(', '));
        for (const [job, count] of Object.entries(targetsByJob)) {
          const found = activeTargets.filter(({ labels }) => labels.job === job).length;
          if (found !== count) throw new Error(`${job} has ${found} targets, not ${count}`);
        }
        return true;
      },
      timeoutMs,
    );

  /** Waits until all these alerts are loaded and have been evaluated without an error. */
  evaluates = (alerts, timeoutMs) =>
    until(
      'the evaluation of the rules',
      async () => {
        const { groups } = await this.#ask('rules');
        const evaluated = groups.flatMap(({ rules }) => rules).filter(({ health }) => health === 'ok');
        const missing = alerts.filter((alert) => !evaluated.some(({ name }) => name === alert));
        if (missing.length > 0) throw new Error(`${missing.join(', ')} not evaluated`);
        return true;
      },
      timeoutMs,
    );

  /** Waits until exactly these alerts fire. */
  fires = (alerts, timeoutMs = alertTimeoutMs) =>
    until(
      alerts.length === 0 ? 'the end of all alerts' : alerts.join(', '),
      async () => {
        const { alerts: active } = await this.#ask('alerts');
        const names = active.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname);
        const firing = [...new Set(names)];
        if (firing.join() !== alerts.join()) throw new Error(`${firing.join(', ') || 'nothing'} fires`);
        return true;
      },
      timeoutMs,
    );

  /** The names of all alerts that have fired within the last hour. */
  async haveFired() {
    const { result } = await this.#ask('query', {
      query: 'count by (alertname) (count_over_time(ALERTS{alertstate="firing"}[1h]))',
    });
    return result.map(({ metric }) => metric.alertname).sort();
  }

  /**
   * Asks for each expression, with variables of a board replaced by what selects everything.
   *
   * @returns the metrics that are named and that no target has
   */
  async metricsMissing(expressions) {
    const known = new Set(await this.#ask('label/__name__/values'));
    const missing = new Set();
    for (const expression of expressions) {
      const query = expression.replaceAll(/\$__\w+/g, '5m').replaceAll(/\$\{?\w+\}?/g, '.*');
      await this.#ask('query', { query });
      for (const [name] of query.matchAll(/\b(?:quire|pg)_\w+/g)) if (!known.has(name)) missing.add(name);
    }
    return [...missing].sort();
  }
}
