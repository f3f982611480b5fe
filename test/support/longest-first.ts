import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take twenty seconds or more on a quiet machine of two cores, with how many; others come after them. */
const longS: Readonly<Record<string, number>> = {
  'test/editor/other-formats.test.ts': 97,
  'test/services/incidents.test.ts': 78,
  'test/services/load-command.test.ts': 67,
  'converter/engines/libreoffice/office-pool.test.ts': 53,
  'test/editor/host.test.ts': 53,
  'test/editor/sheet-together.test.ts': 53,
  'test/services/stopping.test.ts': 52,
  'test/fault/force-save.test.ts': 48,
  'test/editor/saving-recovery.test.ts': 47,
  'converter/source-checks/exhausting-documents.test.ts': 46,
  'test/editor/saving.test.ts': 44,
  'test/fault/leaving.test.ts': 40,
  'test/editor/history.test.ts': 36,
  'test/fault/kills.test.ts': 36,
  'test/wopi/saving.test.ts': 35,
  'test/e2e/admin.test.ts': 33,
  'test/e2e/example.test.ts': 32,
  'test/editor/conditions-rights.test.ts': 32,
  'test/services/actions.test.ts': 31,
  'test/fault/database.test.ts': 28,
  'test/fault/histories.test.ts': 28,
  'test/editor/conditions-haste.test.ts': 26,
  'test/contract/redis.test.ts': 25,
  'test/editor/accessibility.test.ts': 25,
  'test/editor/host-look.test.ts': 25,
  'test/editor/view.test.ts': 25,
  'test/editor/conditions-input.test.ts': 24,
  'test/services/administration-nodes.test.ts': 24,
  'test/wopi/locks.test.ts': 23,
  'db/embedded-postgres.test.ts': 22,
  'test/editor/fields.test.ts': 22,
  'test/editor/random-typing.test.ts': 22,
  'test/services/continuous-save.test.ts': 22,
  'test/editor/conditions-strict.test.ts': 20,
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
