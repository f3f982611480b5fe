import { wholeFile } from './run.mjs';

/** So many tests may be unsteady; more are no chance. */
const mostUnsteady = 3;

/** Losing, doubling, disorder, a lock twice, a right exceeded, a delivery missing: no second look forgives these. */
const neverForgiven = /\bI(?:[1-7]|12)\b/;

/**
 * What a run is worth.
 *
 * A test that failed, and passed when its file ran alone, is unsteady: named and counted, and forgiven unless there are more than
 * three. It is not forgiven where it was no wait that failed and its rule proves one of the invariants I1 to I7 or I12.
 *
 * @param of what ran first and second (by file), the text of SPEC.md, skipped tests that are on no list
 * @returns the last lines; whether the run passed; the files whose logs are to be kept
 */
export function verdict({ first, second, spec, unlisted, isInCi }) {
  const isGuarded = guardedRules(spec);
  const judged = [
    ...first.failures.map((failure) => ({ ...failure, fate: fateOf(failure, second, isGuarded) })),
    ...failedLater(first, second).map((failure) => ({
      ...failure,
      fate: whenUnsteady(failure, isGuarded),
    })),
  ];
  const unsteady = judged.filter(({ fate }) => fate === 'unsteady');
  const failed = judged.filter(({ fate }) => fate !== 'unsteady');
  const lines = [
    ...failed.map(
      (one) => `failed${one.fate === 'unforgiven' ? ' once, which is not forgiven' : ''}: ${told(one)}`,
    ),
    ...first.unhandled.map((error) => `failed outside of any test: ${firstLine(error)}`),
    ...unlisted.map(({ file, name }) => `skipped, and not listed in test/skipped.json: ${file} > ${name}`),
    ...unsteady.map((one) => `unsteady: ${told(one)}`),
    ...(unsteady.length > 0 ? [`unsteady tests: ${unsteady.length}`] : []),
  ];
  // Elsewhere somebody may lack a program and still want to know about the rest.
  const lacking = isInCi ? unlisted.length : 0;
  const tooMany = unsteady.length > mostUnsteady ? unsteady.length : 0;
  if (tooMany > 0) lines.push(`more than ${mostUnsteady} unsteady tests are a failure`);
  const count = failed.length + first.unhandled.length + lacking + tooMany;
  // Those that passed alone; those that failed then were counted at first.
  const regained = unsteady.filter((one) =>
    first.failures.some(({ file, name }) => file === one.file && name === one.name),
  );
  const passed = first.passed + (tooMany > 0 ? 0 : regained.length);
  const isGreen = count === 0 && passed > 0;
  lines.push(`tests: ${passed} passed, ${count} failed, ${first.skipped.length} skipped`);
  return { lines, isGreen, evidenceOf: [...new Set(judged.map(({ file }) => file))] };
}

function fateOf({ file, name, errors }, second, isGuarded) {
  const again = second.get(file);
  const isOfIt = (test) => name === wholeFile || test === name || test.startsWith(`${name} > `);
  const isRed = again?.failures.some((one) => isOfIt(one.name) || one.name === wholeFile);
  const passed = again?.files
    .flatMap(({ tests }) => tests)
    .some((test) => test.state === 'passed' && isOfIt(test.name));
  if (!passed || isRed || again.unhandled.length > 0) return 'failed';
  return whenUnsteady({ name, errors }, isGuarded);
}

const whenUnsteady = ({ name, errors }, isGuarded) =>
  isGuarded(name) && !errors.every(isWait) ? 'unforgiven' : 'unsteady';

/** What passed at first and failed when it was looked at again, beside what had failed: it is as unsteady. */
function failedLater(first, second) {
  const known = new Set(first.failures.map(({ file, name }) => `${file} > ${name}`));
  const files = first.files.flatMap(({ file, tests }) =>
    tests.filter(({ state }) => state === 'passed').map(({ name }) => `${file} > ${name}`),
  );
  const passed = new Set(files);
  return [...second.values()]
    .flatMap(({ failures }) => failures)
    .filter(({ file, name }) => passed.has(`${file} > ${name}`) && !known.has(`${file} > ${name}`));
}

/** Whether something did not come in time; everything else is something that came and was wrong. */
export function isWait({ name, message, cause }) {
  return (
    name === 'WaitError' ||
    name === 'TimeoutError' ||
    /^(?:Test|Hook) timed out in/.test(message) ||
    // What `expect.poll` asked for.
    cause === 'Matcher did not succeed in time.'
  );
}

/** Tells by the name of a test whether a rule that it proves stands under a heading that names a guarded invariant. */
export function guardedRules(spec) {
  const guarded = new Set();
  let isGuarded = false;
  for (const line of spec.split('\n')) {
    if (line.startsWith('#')) isGuarded = false;
    if (line.startsWith('Proves ')) isGuarded = neverForgiven.test(line);
    const rule = /^- \*\*([A-Z]{1,2}\d+)\*\*/.exec(line)?.[1];
    if (rule && isGuarded) guarded.add(rule);
  }
  return (name) =>
    [...name.matchAll(/\[([^\]]+)\]/g)].some(([, ids]) => ids.split(/, ?/).some((id) => guarded.has(id)));
}

const firstLine = ({ message }) => message.split('\n')[0].slice(0, 300);
const told = ({ file, name, errors }) => `${file} > ${name}: ${errors.map(firstLine).join('; ')}`;
