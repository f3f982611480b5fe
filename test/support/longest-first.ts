import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files of `npm test` that take long on a quiet machine of two cores, with how many seconds; others come after them. */
const longS: Readonly<Record<string, number>> = {
  'test/wopi/saving.test.ts': 56,
  'test/services/doctor.test.ts': 43,
  'test/wopi/locks.test.ts': 39,
  'test/services/rest-input.test.ts': 30,
  'test/wopi/pages.test.ts': 28,
  'test/editor/interface-editing.test.ts': 24,
  'test/services/force-save.test.ts': 23,
  'test/editor/sheet-together.test.ts': 23,
  'test/services/gateway.test.ts': 23,
  'test/editor/sheet.test.ts': 23,
  'test/editor/other-formats.test.ts': 22,
  'test/services/other-formats.test.ts': 22,
  'test/services/callback-answers.test.ts': 21,
  'test/services/restoring.test.ts': 20,
  'scripts/setup.test.ts': 19,
  'editor/word/review/tracking/track.test.ts': 14,
  'test/contract/conversion-queue.test.ts': 14,
  'jobs/job-store.test.ts': 13,
};

/**
 * Starts the files of each group that take long before the others, so that at the end of a group no worker is left
 * alone with one. vitest knows only how large they are where it has not run them before.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const group = ({ project }: TestSpecification) => project.config.sequence.groupOrder ?? 0;
    const long = ({ moduleId }: TestSpecification) =>
      longS[path.relative(this.ctx.config.root, moduleId)] ?? 0;
    return (await super.sort(files)).sort(
      (one, other) => group(one) - group(other) || long(other) - long(one),
    );
  }
}
