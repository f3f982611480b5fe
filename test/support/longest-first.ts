import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take long, with how many seconds on two cores: those of `npm test` on quiet ones. Others come after them. */
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
  'converter/engines/x2t/real-conversions.trial.ts': 371,
  'test/services/strange-answers.trial.ts': 183,
  'test/third-party/integration-examples.trial.ts': 175,
  'test/editor/saving-recovery.trial.ts': 156,
  'test/services/strange-hosts.trial.ts': 152,
  'test/fault/last-net.trial.ts': 150,
  'test/editor/saving.trial.ts': 122,
  'test/fault/leaving.trial.ts': 98,
  'test/editor/other-formats.trial.ts': 97,
  'test/services/stopping.trial.ts': 90,
  'converter/source-checks/exhausting-documents.trial.ts': 83,
  'test/services/load-command.trial.ts': 79,
  'test/editor/host.trial.ts': 70,
  'test/editor/history.trial.ts': 70,
  'test/editor/view.trial.ts': 68,
  'converter/engines/libreoffice/office-pool.trial.ts': 68,
  'test/services/incidents.trial.ts': 66,
  'test/editor/accessibility.trial.ts': 61,
  'test/editor/conditions-input.trial.ts': 59,
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
