/** What somebody decides on a tracked change. */
export type Decision = 'accept' | 'reject';

/** What a tracked change is: of text, a move, of properties, or something within what the model does not hold. */
export type ChangeKind = 'insertion' | 'deletion' | 'moveFrom' | 'moveTo' | 'format' | 'object';
