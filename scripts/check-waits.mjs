// Keeps short waits out of the tests: what will come true is waited for with `patienceMs` of test/support/patience.ts, and a
// test has no time-out of its own, so that a busy machine makes tests slow and not red. `npm run lint` runs it.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const patienceMs = 60_000;
const testTimeoutMs = 3 * patienceMs;

/** Where a short time is the point, and why. */
const allowed = new Map([
  ['test/services/actions.trial.ts', 'pages are answered while a part of the server hangs'],
  ['test/services/incidents.trial.ts', 'pages are answered while a store hangs'],
  ['test/services/trial-mode.trial.ts', 'a port behind a firewall does not answer'],
  ['test/services/workers.trial.ts', 'who was given to a worker that dies is not answered, and asks again'],
  ['test/support/evidence.ts', 'a page that hangs is not pictured'],
  ['test/support/histories/', 'people of random runs give up and go on, as their editors do'],
  ['test/support/rights/intruder.ts', 'intruders are not always answered'],
]);

/** Calls whose last argument may be a time, by their last name, with how many arguments they have then and how long it has to be. */
const calls = [
  { name: /^(eventually|next|waitForCallback|take)$/, count: 3, leastMs: patienceMs },
  { name: /^(it|test|describe)$/, count: 3, leastMs: testTimeoutMs },
  { name: /^(before|after)(All|Each)$/, count: 2, leastMs: testTimeoutMs },
];

/**
 * The short waits of a file.
 *
 * @param {string} text
 * @returns {{ line: number, what: string }[]}
 */
export function shortWaits(text) {
  const file = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true);
  const constants = constantsOf(file);
  const msOf = (node) => (ts.isIdentifier(node) ? (constants.get(node.text) ?? Number.NaN) : numberOf(node));
  const found = [];
  const visit = (node) => {
    if (isShort(node, msOf)) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart());
      found.push({ line: line + 1, what: node.getText().split('\n')[0] });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function isShort(node, msOf) {
  if (ts.isPropertyAssignment(node)) {
    const name = node.name.getText();
    return name === 'testTimeout' || (name === 'timeout' && msOf(node.initializer) < patienceMs);
  }
  if (!ts.isCallExpression(node)) return false;
  const { expression, arguments: given } = node;
  const text = expression.getText();
  if (/^vi\.wait(For|Until)$/.test(text)) return true;
  if (text === 'AbortSignal.timeout') return msOf(given[0]) < patienceMs;
  const one = calls.find(({ name }) => name.test(nameOf(expression)));
  return one !== undefined && given.length === one.count && msOf(given.at(-1)) < one.leastMs;
}

/** `next` of `client.next`; `it` of `it`, `it.skipIf(…)` and `it.each(…)`, and of what these are called with. */
function nameOf(callee) {
  if (ts.isIdentifier(callee)) return callee.text;
  if (ts.isCallExpression(callee)) return nameOf(callee.expression);
  if (!ts.isPropertyAccessExpression(callee)) return '';
  const whole = nameOf(callee.expression);
  return /^(it|test|describe)$/.test(whole) ? whole : callee.name.text;
}

/** A number as it is written, or the product of two; NaN for anything else. */
function numberOf(node) {
  if (ts.isNumericLiteral(node)) return Number(node.text);
  const isProduct = ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.AsteriskToken;
  return isProduct ? numberOf(node.left) * numberOf(node.right) : Number.NaN;
}

/** The constants of a file that are numbers. */
function constantsOf(file) {
  const constants = new Map();
  for (const statement of file.statements.filter(ts.isVariableStatement)) {
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (initializer) constants.set(name.getText(), numberOf(initializer));
    }
  }
  return constants;
}

const isOfTests = (file) =>
  /\.(test|trial)\.tsx?$/.test(file) || (file.startsWith('test/') && /\.tsx?$/.test(file));

function main() {
  const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
  const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n');
  const found = files.filter(isOfTests).flatMap((file) => {
    if ([...allowed.keys()].some((start) => file.startsWith(start))) return [];
    const waits = shortWaits(readFileSync(path.join(root, file), 'utf8'));
    return waits.map(({ line, what }) => `${file}:${line}: ${what}`);
  });
  if (found.length === 0) return;
  console.error(
    `Waits that a busy machine makes red (scripts/check-waits.mjs says why):\n${found.join('\n')}`,
  );
  process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
