import type { Writable } from 'node:stream';

/** Where hosts and commands say something. Nothing that is written here ever throws. */
export const processOutput = {
  out: (text: string): void => withStream('stdout', (stream) => writeSafely(stream, text)),
  err: (text: string): void => withStream('stderr', (stream) => writeSafely(stream, text)),
  /** Nobody reads results any more, as when `| head` has seen enough. */
  onOutGone: (listener: () => void): void =>
    withStream('stdout', (stream) => onOutputGone(stream, listener)),
} as const;

/** Even looking at them can throw, where whoever started Parley has closed them. */
function withStream(name: 'stdout' | 'stderr', write: (stream: Writable) => void): void {
  let stream: Writable;
  try {
    stream = process[name];
  } catch {
    return;
  }
  write(stream);
}

interface OutputState {
  gone: boolean;
  readonly listeners: Set<() => void>;
}

/** Nobody reads there any more, and nobody will again. */
const endings: ReadonlySet<unknown> = new Set([
  'EPIPE',
  'EIO',
  'EBADF',
  'ECONNRESET',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
]);

const states = new WeakMap<Writable, OutputState>();

/**
 * Writes where somebody may have stopped reading: a launcher that has died, `| head`, a journal that
 * starts anew. It never throws, then or later, and what nobody reads is dropped.
 */
export function writeSafely(stream: Writable, text: string): void {
  const state = stateOf(stream);
  if (state.gone) return;
  try {
    stream.write(text);
  } catch (error) {
    note(state, error);
  }
}

/** Calls back once when nobody reads any more, at once where it is so already. */
export function onOutputGone(stream: Writable, listener: () => void): void {
  const state = stateOf(stream);
  if (state.gone) listener();
  else state.listeners.add(listener);
}

/** The error of a write comes later, as an event, which without a listener is an uncaught throw. */
function stateOf(stream: Writable): OutputState {
  const known = states.get(stream);
  if (known !== undefined) return known;
  const state: OutputState = { gone: false, listeners: new Set() };
  states.set(stream, state);
  stream.on('error', (error) => note(state, error));
  return state;
}

/** Any other error (a reader that is slow, a full disk) costs what was to be written and no more. */
function note(state: OutputState, error: unknown): void {
  if (state.gone || !(error instanceof Error && 'code' in error && endings.has(error.code))) return;
  state.gone = true;
  for (const listener of state.listeners) listener();
  state.listeners.clear();
}
