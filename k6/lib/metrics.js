import { Counter, Trend } from 'k6/metrics';

/** What is measured, by the name under which the summary has it. */
export const metrics = {
  /** From the dialling of a connection to the document's being there to be edited, its model fetched. */
  open: new Trend('quire_open', true),
  /** From the sending of `auth` to its answer. */
  auth: new Trend('quire_auth', true),
  /** From asking for the turn to save to having it. */
  turn: new Trend('quire_turn', true),
  /** From the sending of a save to its acknowledgement. */
  save: new Trend('quire_save', true),
  /** From the sending of a save to its arrival at somebody else in the document. */
  delivery: new Trend('quire_delivery', true),
  sessions: new Counter('quire_sessions'),
  closes: new Counter('quire_closes'),
  saves: new Counter('quire_saves'),
  changes: new Counter('quire_changes'),
  received: new Counter('quire_received'),
  refusedTurns: new Counter('quire_refused_turns'),
  /** Whatever a person would have noticed. `kind` says what. */
  errors: new Counter('quire_errors'),
};
