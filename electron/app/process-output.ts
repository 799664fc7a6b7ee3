import type { Writable } from 'node:stream';

/** Output of hosts and commands. Never throws. */
export const processOutput = {
  out: (text: string): void => withStream('stdout', (stream) => writeSafely(stream, text)),
  err: (text: string): void => withStream('stderr', (stream) => writeSafely(stream, text)),
  /** Calls back when no program reads stdout any more, for example because `| head` has ended. */
  onOutClosed: (listener: () => void): void =>
    withStream('stdout', (stream) => onOutputClosed(stream, listener)),
  /** The first error that lost output although stdout was open, such as a full disk. */
  outError: (): unknown => {
    let error: unknown;
    withStream('stdout', (stream) => {
      error = outputError(stream);
    });
    return error;
  },
} as const;

/** Reading `process.stdout` can throw if the parent process has closed it. */
function withStream(name: 'stdout' | 'stderr', action: (stream: Writable) => void): void {
  let stream: Writable;
  try {
    stream = process[name];
  } catch {
    return;
  }
  action(stream);
}

interface OutputState {
  isClosed: boolean;
  lossError?: unknown;
  readonly listeners: Set<() => void>;
}

/** Errors after which the stream never has a reader again. */
const closedErrors: ReadonlySet<unknown> = new Set([
  'EPIPE',
  'EIO',
  'EBADF',
  'ECONNRESET',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
]);

const states = new WeakMap<Writable, OutputState>();

/**
 * Writes to a stream whose reader (a launcher, `| head`, the journal) may be gone. Never throws, now or later, and drops
 * output that nobody reads.
 */
export function writeSafely(stream: Writable, text: string): void {
  const state = outputState(stream);
  if (state.isClosed) return;
  try {
    stream.write(text);
  } catch (error) {
    noteError(state, error);
  }
}

/** Calls back once when the reader is gone, or at once if it already is. */
export function onOutputClosed(stream: Writable, listener: () => void): void {
  const state = outputState(stream);
  if (state.isClosed) listener();
  else state.listeners.add(listener);
}

/** Undefined if the stream lost output only because its reader is gone. */
export function outputError(stream: Writable): unknown {
  return outputState(stream).lossError;
}

/** Adds an error listener to a new stream: a failed write is reported later, as an event, and without a listener it ends the process. */
function outputState(stream: Writable): OutputState {
  const known = states.get(stream);
  if (known !== undefined) return known;
  const state: OutputState = { isClosed: false, listeners: new Set() };
  states.set(stream, state);
  stream.on('error', (error) => noteError(state, error));
  return state;
}

/** Closes the output after an error that ends it. Other errors (a slow reader, a full disk) lose only one text. */
function noteError(state: OutputState, error: unknown): void {
  if (state.isClosed) return;
  if (!(error instanceof Error && 'code' in error && closedErrors.has(error.code))) {
    state.lossError ??= error;
    return;
  }
  state.isClosed = true;
  for (const listener of state.listeners) listener();
  state.listeners.clear();
}
