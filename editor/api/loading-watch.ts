/** A browser does not tell whether a frame of another origin has loaded its page or an error page. */
const loadTimeoutMs = 60_000;
/** From the page's load event to the first word of the editor, which is said before or soon after. */
const silenceTimeoutMs = 15_000;

/** Calls `onSilent` once if the frame does not load, or loads something that is no editor. Returns how to stop. */
export function watchLoading(frame: HTMLIFrameElement, onSilent: () => void): () => void {
  let timer = window.setTimeout(onSilent, loadTimeoutMs);
  const loaded = (): void => {
    clearTimeout(timer);
    timer = window.setTimeout(onSilent, silenceTimeoutMs);
  };
  frame.addEventListener('load', loaded, { once: true });
  return () => {
    clearTimeout(timer);
    frame.removeEventListener('load', loaded);
  };
}
