import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { wholeFile } from './run.mjs';

const plain = ({ name, message, cause }) => ({ name, message: message ?? '', cause: cause?.message });

/**
 * A reporter of vitest: writes each test with its state and what was thrown, and what failed outside of tests (hooks, imports,
 * errors that nobody caught), into the file that `QUIRE_TEST_REPORT` names. vitest's own JSON does not tell of a hook.
 */
export default class Reporter {
  #root = process.cwd();

  onInit({ config }) {
    this.#root = config.root;
  }

  onTestRunEnd(modules, unhandled) {
    const files = modules.map((module) => ({
      file: path.relative(this.#root, module.moduleId),
      durationMs: module.diagnostic().duration,
      tests: [...module.children.allTests()].map((test) => {
        const { state, errors, note } = test.result();
        return { name: test.fullName, state, note, errors: (errors ?? []).map(plain) };
      }),
      // The file itself, and hooks of its groups.
      broken: [
        ...module.errors().map((error) => ({ name: wholeFile, error: plain(error) })),
        ...[...module.children.allSuites()].flatMap((suite) =>
          suite.errors().map((error) => ({ name: suite.fullName, error: plain(error) })),
        ),
      ],
    }));
    const report = process.env.QUIRE_TEST_REPORT;
    if (!report) return;
    mkdirSync(path.dirname(report), { recursive: true });
    writeFileSync(report, JSON.stringify({ files, unhandled: unhandled.map(plain) }));
  }
}
