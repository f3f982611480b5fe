/**
 * What the server makes of a field that a client sends:
 *
 * - `content`: it is stored or passed on as its sender's, and says nothing about anybody else.
 * - `own`: what its sender has, or wants for itself; a lie harms the liar alone.
 * - `wish`: what its sender would like done; the server decides by what it knows.
 * - `checked`: compared with what the server knows; where that differs, it is refused.
 * - `signed`: a token that names it decides; what the message says counts only where tokens are off.
 * - `proof`: a token, a password or an id that nobody else is told.
 * - `unread`: clients of the protocol send it; nobody reads it.
 */
export type Belief = 'content' | 'own' | 'wish' | 'checked' | 'signed' | 'proof' | 'unread';

/** A belief for each field of a message: one that is forgotten does not compile. */
export type Beliefs<Message> = { readonly [Field in Exclude<keyof Message, 'type'>]-?: Belief };
