import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files of `npm test` that take long on a quiet machine of two cores, with how many seconds; others come after them. */
const longS: Readonly<Record<string, number>> = {
  'test/editor/interface-editing.test.ts': 30,
  'test/editor/sheet.test.ts': 28,
  'test/services/other-formats.test.ts': 28,
  'test/services/gateway.test.ts': 21,
  'test/editor/other-formats.test.ts': 21,
  'test/wopi/saving.test.ts': 21,
  'test/services/force-save.test.ts': 21,
  'test/wopi/locks.test.ts': 20,
  'test/services/rest-input.test.ts': 18,
  'test/services/doctor.test.ts': 18,
  'test/services/kinds.test.ts': 18,
  'test/wopi/pages.test.ts': 18,
  'test/services/binary-documents.test.ts': 18,
  'test/editor/sheet-together.test.ts': 18,
  'test/services/restoring.test.ts': 15,
  'test/editor/formatting-runs.test.ts': 15,
  'test/editor/view.test.ts': 14,
  'test/services/administration.test.ts': 14,
  'test/services/callbacks.test.ts': 14,
  'test/contract/conversion-queue.test.ts': 13,
  'scripts/setup.test.ts': 10,
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
