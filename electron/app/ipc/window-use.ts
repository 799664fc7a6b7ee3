/** A window's input events, which come from the system and not from the page. */
interface WindowInput {
  on(
    name: 'input-event',
    listener: (event: unknown, input: { readonly type: string }) => void,
  ): unknown;
}

/** Excludes pointer moves and scrolling. */
const userInputTypes: ReadonlySet<string> = new Set([
  'mouseDown',
  'mouseUp',
  'rawKeyDown',
  'keyDown',
  'char',
  'touchStart',
  'gestureTap',
]);

/** Longer than a busy page takes from a click to its request. */
const recentUseMs = 10_000;

/** Returns a function that tells whether the user has just used the window. The page cannot fake it. */
export function watchWindowUse(contents: WindowInput, now: () => number): () => boolean {
  let last = -Infinity;
  contents.on('input-event', (_event, { type }) => {
    if (userInputTypes.has(type)) last = now();
  });
  return () => now() - last <= recentUseMs;
}
