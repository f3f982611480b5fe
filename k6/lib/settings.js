const number = (name, fallback) => {
  const given = __ENV[name];
  if (given === undefined || given === '') return fallback;
  const value = Number(given);
  if (!Number.isFinite(value) || value < 0) throw new Error(`${name} is not a number: ${given}`);
  return value;
};
const choice = (name, ...values) => {
  const given = __ENV[name] || values[0];
  if (!values.includes(given)) throw new Error(`${name} is none of ${values.join(', ')}: ${given}`);
  return given;
};
const duration = (name, fallback) => {
  const given = __ENV[name] || fallback;
  const match = /^(\d+(?:\.\d+)?)(s|m|h)$/.exec(given);
  if (!match) throw new Error(`${name} is no time like 90s, 10m or 1h: ${given}`);
  return Number(match[1]) * { s: 1_000, m: 60_000, h: 3_600_000 }[match[2]];
};

const scale = number('SCALE', 0.01);
const durationMs = duration('DURATION', '1h');

/** What is run: the environment, with the whole hour as what `SCALE=1` means. */
export const settings = {
  scale,
  baseUrl: (__ENV.QUIRE_URL || 'http://localhost:8000').replace(/\/$/, ''),
  transport: choice('TRANSPORT', 'socketio', 'plain'),
  /** `word`: changes the server can read, so that files are made of them; `other`: texts of no meaning to it. */
  model: choice('MODEL', 'word', 'other'),
  documentUrl: __ENV.DOCUMENT_URL || '',
  callbackUrl: __ENV.CALLBACK_URL || '',
  secret: __ENV.JWT_SECRET || '',
  connections: Math.max(1, Math.round(10_000 * scale)),
  connectionsPerVu: Math.max(1, number('CONNECTIONS_PER_VU', 50)),
  usersPerDocument: Math.max(1, number('USERS_PER_DOCUMENT', 1)),
  savesPerMinute: number('SAVES_PER_MINUTE', 10),
  changesPerSave: Math.max(1, number('CHANGES_PER_SAVE', 25)),
  closePercentPerMinute: number('CLOSE_PERCENT_PER_MINUTE', 4),
  durationMs,
  /** In this time all connections are opened; the last tenth of the run opens none. */
  rampMs: Math.min(duration('RAMP', `${durationMs / 6_000}s`), durationMs / 2),
  limits: {
    openP95Ms: number('OPEN_P95_MS', 2_000),
    saveP99Ms: number('SAVE_P99_MS', 100),
    deliveryP99Ms: number('DELIVERY_P99_MS', 200),
  },
  summaryDirectory: __ENV.SUMMARY_DIR || '',
};
