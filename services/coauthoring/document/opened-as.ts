/** What an opened document is to the people in it. */
export interface OpenedAs {
  /** It was opened with a password, which everybody has to give who is to get anything of it. */
  isProtected: boolean;
  /** The server's own model judges what a part of the rights allows. */
  isJudged: boolean;
  /** It is open in a model of ours, whose changes can be told from junk. Earlier versions do not say. */
  hasModel?: boolean;
}
