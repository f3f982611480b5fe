/** What an opened document is to the people in it. */
export interface OpenedAs {
  /** It was opened with a password, which everybody has to give who is to get anything of it. */
  isProtected: boolean;
  /** The server's own model judges what a part of the rights allows. */
  isJudged: boolean;
  /** The model of ours that it is open in, whose changes can be told from junk; absent: none. Earlier versions do not say. */
  model?: string;
}
