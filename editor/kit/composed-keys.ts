/**
 * Leaves keys to the input method while text is composed: Enter takes a word there, Escape cancels it, arrows go through the
 * proposals. None of them is a command of the page. Safari sends the key that ends it afterwards, known by its code alone.
 * Editable documents are left out: ProseMirror follows what is composed itself.
 */
export function leaveKeysToInputMethods(): void {
  addEventListener(
    'keydown',
    (event) => {
      const isField = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
      if (isField && (event.isComposing || event.keyCode === 229)) event.stopImmediatePropagation();
    },
    true,
  );
}
