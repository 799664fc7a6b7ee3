/** Of a window's contents, what tells of mouse, keys and touches: from the system, past the page. */
interface WindowInput {
  on(
    name: 'input-event',
    hear: (event: unknown, input: { readonly type: string }) => void,
  ): unknown;
}

/** To move over a window, or to scroll in it, is to ask for nothing. */
const uses: ReadonlySet<string> = new Set([
  'mouseDown',
  'mouseUp',
  'rawKeyDown',
  'keyDown',
  'char',
  'touchStart',
  'gestureTap',
]);

/** Longer than a busy page needs from a click to its request. */
const justNowMs = 10_000;

/** Says whether somebody has just used a window; what its page says of that counts for nothing. */
export function watchPersonAt(contents: WindowInput, now: () => number): () => boolean {
  let last = -Infinity;
  contents.on('input-event', (_event, { type }) => {
    if (uses.has(type)) last = now();
  });
  return () => now() - last <= justNowMs;
}

/** The origin of an address, or nothing where it is none. */
export function originOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).origin : undefined;
}
