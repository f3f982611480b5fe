import { actions } from './actions.ts';
import { common } from './common.ts';
import { compare } from './compare.ts';
import { dialogs } from './dialogs.ts';
import { find } from './find.ts';
import { formats } from './formats.ts';
import { frame } from './frame.ts';
import { history } from './history.ts';
import { host } from './host.ts';
import { notes } from './notes.ts';
import { page } from './page.ts';
import { pictures } from './pictures.ts';
import { protection } from './protection.ts';
import { review } from './review.ts';
import { saving } from './saving.ts';
import { together } from './together.ts';
import { toolbar } from './toolbar.ts';
import { unavailable } from './unavailable.ts';
import { view } from './view.ts';
import { viewer } from './viewer.ts';

/** What every page has; the texts of one page alone are in `en/page-*.ts`. */
export const en = {
  host,
  review,
  history,
  together,
  saving,
  toolbar,
  dialogs,
  notes,
  pictures,
  protection,
  find,
  formats,
  actions,
  common,
  compare,
  frame,
  unavailable,
  view,
  viewer,
  page,
} as const;
