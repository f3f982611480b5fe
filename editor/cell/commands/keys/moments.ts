import type { FormatSettings } from '../../../../model/cell/formats/shown-value.ts';
import { editedNumber } from '../../formats/edited-text.ts';
import { serialOfDay } from '../../shown/date-periods.ts';
import { datePattern } from '../formatting.ts';

/** A day as it stands in a cell that is edited: so that it is read as the same day. */
export const today = (settings: FormatSettings, day = new Date()): string =>
  editedNumber(serialOfDay(day, settings.date1904 === true), datePattern(settings), settings);

/** The time of the day, by hours and minutes. */
export const now = (): string => new Date().toTimeString().slice(0, 5);
