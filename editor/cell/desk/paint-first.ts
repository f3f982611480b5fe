import { options } from 'preact';

/** A page that is not seen has no frames: what is around the cells does not wait for one longer than this. */
const longestWaitMs = 100;

/** A frame is awaited with which cells are painted that the user has changed. */
let isAwaited = false;
/** What draws the components, once the frame is handed over. */
let waiting: (() => void)[] = [];

/**
 * Has the next frame show the cells before anything else: components (toolbar, formula bar, what is read aloud) are drawn anew in the
 * task behind it. Called when the user has changed cells, or when others follow from that. Scrolling does not wait: what lies over
 * the cells moves with them.
 */
export function paintFirst(): void {
  if (isAwaited) return;
  isAwaited = true;
  const timer = setTimeout(drawRest, longestWaitMs);
  requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      clearTimeout(timer);
      port1.close();
      drawRest();
    };
    port2.postMessage(null);
  });
}

function drawRest(): void {
  isAwaited = false;
  const draws = waiting;
  waiting = [];
  for (const draw of draws) draw();
}

/**
 * What a component may answer by what it has drawn. Not among them: `input` and `change`, since a field that is drawn then is given
 * back its old text before anybody has read the new one; and what moves with the pointer, of which each frame has several.
 */
const answered = [
  'keydown',
  'beforeinput',
  'paste',
  'submit',
  'pointerdown',
  'pointerup',
  'click',
  // Comes before `focusin`, and is what fields are told of.
  'focus',
];

/**
 * Makes Preact ask; once on a page. What it draws is drawn in the same task as always unless a frame is awaited. Somebody who goes on
 * before that frame (types Enter right behind a name) is answered by components as they are now: they are drawn before.
 */
export function orderPainting(page: EventTarget = window): void {
  for (const type of answered) {
    page.addEventListener(type, () => waiting.length > 0 && drawRest(), { capture: true });
  }
  options.debounceRendering = (draw) => {
    // Whether cells are changed is known when the event has been handled.
    queueMicrotask(() => {
      if (isAwaited) waiting.push(draw);
      else draw();
    });
  };
}
