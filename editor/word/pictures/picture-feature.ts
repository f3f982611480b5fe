import { NodeSelection, Plugin } from 'prosemirror-state';
import type { Feature } from '../word-editor.ts';
import { arrivingPictures } from './arriving-pictures.ts';

/** Pictures on their way into the text, and the dialog about one that is pressed twice. */
export const picturesFeature: Feature = (editor) => [
  arrivingPictures(),
  new Plugin({
    props: {
      handleDoubleClickOn: (view, _pos, node, nodePos, _event, direct) => {
        if (!direct || node.type.name !== 'image' || !editor.role.canEdit) return false;
        const { tr, doc } = view.state;
        view.dispatch(tr.setSelection(NodeSelection.create(doc, nodePos)));
        editor.dialog.value = 'pictureProperties';
        return true;
      },
    },
  }),
];
