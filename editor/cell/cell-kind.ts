import { CellSession } from '../../client/cell/cell-session.ts';
import type { SessionOptions } from '../../client/replica/session-options.ts';
import type { Opening } from '../shell/opening/opening.ts';
import { SessionKind } from '../shell/opening/session-kind.ts';
import { insertHostPictures } from '../shell/pictures/host-pictures.ts';
import { CellEditor } from './cell-editor.ts';
import { pageKeys } from './commands/keys/page-keys.ts';
import { pictureSeries } from './drawings/insert-pictures.ts';
import { cellVersions } from './history/cell-versions.ts';
import { followActionLink } from './host/action-link.ts';
import { regionOf } from './region.ts';

/** Spreadsheets, as the page opens them. */
export class CellKind extends SessionKind<CellEditor> {
  constructor() {
    super({ page: 'cell', lockedBy: 'sheet.openedBy' });
  }

  protected followKind(editor: CellEditor): readonly (() => void)[] {
    followActionLink(editor);
    return [
      pageKeys(editor),
      editor.host.on('insertImage', (data) => void insertHostPictures(editor, data, pictureSeries(editor))),
    ];
  }

  protected openEditor(
    { config, host, serverUrl }: Opening,
    options: SessionOptions,
    begin: (make: (last: CellSession | null) => CellSession) => CellSession,
  ): Promise<CellEditor> {
    return CellEditor.open({
      config,
      host,
      serverUrl,
      versions: cellVersions,
      makeSession: (onChange, onMedia) =>
        begin((last) => {
          const own = { ...options, onChange, onMedia, region: regionOf(config.editorConfig) };
          return last ? last.reopen(own) : new CellSession(own);
        }),
    });
  }
}
