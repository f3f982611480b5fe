import type { SessionOptions } from '../../client/replica/session-options.ts';
import { WordSession } from '../../client/word/word-session.ts';
import type { Opening } from '../shell/opening/opening.ts';
import { SessionKind } from '../shell/opening/session-kind.ts';
import { insertHostPictures } from '../shell/pictures/host-pictures.ts';
import { pageKeys } from './commands/keyboard.ts';
import { features } from './features.ts';
import { wordVersions } from './history/word-versions.ts';
import { placePicture } from './pictures/insert-pictures.ts';
import { noticeProtection } from './protection/protection-notice.ts';
import { WordEditor } from './word-editor.ts';

/** Text documents, as the page opens them. */
export class WordKind extends SessionKind<WordEditor> {
  constructor() {
    super({ page: 'word', lockedBy: 'together.lockedBy' });
  }

  protected followKind(editor: WordEditor): readonly (() => void)[] {
    return [
      pageKeys(editor),
      noticeProtection(editor),
      editor.host.on(
        'insertImage',
        (data) => void insertHostPictures(editor, data, (picture) => placePicture(editor, picture)),
      ),
    ];
  }

  protected openEditor(
    { config, host, serverUrl }: Opening,
    session: SessionOptions,
    begin: (make: (last: WordSession | null) => WordSession) => WordSession,
  ): Promise<WordEditor> {
    return WordEditor.open({
      config,
      host,
      serverUrl,
      features,
      versions: wordVersions,
      session,
      makeSession: (options) => begin((last) => (last ? last.reopen(options) : new WordSession(options))),
    });
  }
}
