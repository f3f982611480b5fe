import type { Area, Axis } from '../../../model/cell/area.ts';
import type { RulesOfSheet } from '../commands/ruled-areas.ts';

/** What was copied here, as long as the clipboard has it. */
export interface Copied {
  readonly sheet: string;
  readonly areas: readonly Area[];
  /** Of what they are whole ones, which end here where nothing more is; null: of nothing. */
  readonly lines: Axis | null;
  readonly isCut: boolean;
  /** The rules of its sheet at that time. */
  readonly rules: RulesOfSheet;
  /** There is a frame around it: Enter pastes it. */
  readonly isFramed: boolean;
  /** The cells as pages of ours paste them: a browser that is asked for the clipboard gives other programs' words only. */
  readonly own: string;
  /** Tells it from what other programs have put on the clipboard since. */
  readonly id: string;
}
