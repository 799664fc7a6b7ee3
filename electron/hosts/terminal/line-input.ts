import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { type AppError, appError } from '../../../shared/errors/app-error.ts';

/** A line, or the reason why none was read. */
export type InputLine =
  /** `isRunning`: more lines of the same paste follow. */
  | { readonly kind: 'line'; readonly text: string; readonly continues: boolean }
  /** Ctrl-C at the prompt; `cleared`: it removed typed text. */
  | { readonly kind: 'interrupted'; readonly cleared: boolean }
  | { readonly kind: 'ended' }
  | { readonly kind: 'failed'; readonly error: AppError };

/** Lines that a user types or a script pipes in. */
export interface LineInput {
  /** A user types at a prompt. */
  readonly typed: boolean;
  /** Reads one line at a time; further typed lines wait. */
  readonly next: (prompt: string) => Promise<InputLine>;
  /** Ends a pending read. */
  readonly close: () => void;
}

/** Calls `interrupted` on Ctrl-C if no read is pending. */
export type OpenLineInput = (interrupted: () => void) => LineInput;

/** Turns on bracketed paste, so that pasted line ends do not send. */
const bracketedPasteOn = '\u001b[?2004h';
const bracketedPasteOff = '\u001b[?2004l';

interface TypingScreen {
  readonly write: (text: string) => void;
  readonly columns: () => number;
  readonly onResize: (listener: () => void) => void;
}

/**
 * Lines typed at a prompt, with history and line editing. During an answer, typed text is not echoed; it
 * appears at the next prompt.
 */
export class TypedLines implements LineInput {
  readonly typed = true;
  readonly #editor: Interface;
  readonly #screen: TypingScreen;
  readonly #echo: EditorEcho;
  readonly #interrupted: () => void;
  #typedAhead: InputLine[] = [];
  #waiting: ((line: InputLine) => void) | undefined;
  #pasting = false;
  #isClosed = false;

  constructor(input: NodeJS.ReadableStream, screen: TypingScreen, interrupted: () => void) {
    this.#screen = screen;
    this.#interrupted = interrupted;
    this.#echo = new EditorEcho(screen);
    this.#editor = createInterface({
      input,
      output: this.#echo,
      terminal: true,
      crlfDelay: Infinity,
      removeHistoryDuplicates: true,
    });
    this.#editor.on('line', (text) => {
      this.#deliver({ kind: 'line', text, continues: this.#pasting });
    });
    this.#editor.on('SIGINT', this.#onCtrlC);
    this.#editor.on('close', this.#onClose);
    input.on('keypress', (_text: unknown, key: { readonly name?: string | undefined }) => {
      if (key.name === 'paste-start') this.#pasting = true;
      if (key.name === 'paste-end') this.#pasting = false;
    });
    screen.write(bracketedPasteOn);
  }

  readonly next = (prompt: string): Promise<InputLine> => {
    const ahead = this.#typedAhead.shift();
    if (ahead !== undefined) {
      if (ahead.kind === 'line') this.#screen.write(`${prompt}${ahead.text}\n`);
      return Promise.resolve(ahead);
    }
    if (this.#isClosed) return Promise.resolve({ kind: 'ended' });
    this.#echo.shown = true;
    this.#editor.setPrompt(prompt);
    this.#editor.prompt(true);
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  };

  readonly close = (): void => {
    this.#editor.close();
  };

  #deliver(line: InputLine): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    this.#echo.shown = false;
    if (waiting === undefined) this.#typedAhead.push(line);
    else waiting(line);
  }

  readonly #onCtrlC = (): void => {
    const cleared = this.#editor.line !== '';
    const atPrompt = this.#waiting !== undefined;
    this.#pasting = false;
    this.#editor.write(null, { ctrl: true, name: 'e' });
    if (atPrompt) this.#screen.write('^C\n');
    this.#echo.shown = false;
    this.#editor.write(null, { ctrl: true, name: 'u' });
    // Text typed ahead was meant for the interrupted answer.
    this.#typedAhead = [];
    if (atPrompt) this.#deliver({ kind: 'interrupted', cleared });
    else this.#interrupted();
  };

  readonly #onClose = (): void => {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#screen.write(`${this.#echo.shown ? '\n' : ''}${bracketedPasteOff}`);
    if (this.#waiting !== undefined) this.#deliver({ kind: 'ended' });
  };
}

/** The line editor's output, which is muted while an answer is shown. */
class EditorEcho extends Writable {
  shown = false;
  readonly #screen: TypingScreen;

  constructor(screen: TypingScreen) {
    super();
    this.#screen = screen;
    screen.onResize(() => this.emit('resize'));
  }

  /** Infinite while muted, so that the editor does not wrap lines or move up. */
  get columns(): number {
    return this.shown ? this.#screen.columns() : Infinity;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    if (this.shown) this.#screen.write(chunk.toString());
    done();
  }
}

/** Longer than any message; guards against binary input without line ends. */
const maxLineBytes = 4 * 1024 * 1024;

type Pipe = AsyncIterable<Buffer | string> & { readonly destroy: () => unknown };

const ended: InputLine = { kind: 'ended' };

/** Lines of a pipe, read only on demand. */
export class PipedLines implements LineInput {
  readonly typed = false;
  readonly #stream: Pipe;
  readonly #lines: AsyncIterator<InputLine, undefined>;

  constructor(stream: Pipe) {
    this.#stream = stream;
    this.#lines = readLines(stream);
  }

  readonly next = async (): Promise<InputLine> => {
    try {
      return (await this.#lines.next()).value ?? ended;
    } catch {
      // The pipe was closed, here or at the other end.
      return ended;
    }
  };

  /** An open pipe would keep the process alive. */
  readonly close = (): void => {
    this.#stream.destroy();
  };
}

async function* readLines(stream: Pipe): AsyncGenerator<InputLine, undefined> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of stream) {
    const parts = (rest + (typeof chunk === 'string' ? chunk : decoder.write(chunk))).split('\n');
    rest = parts.pop() ?? '';
    for (const text of parts) yield toLine(text);
    if (rest.length > maxLineBytes) {
      yield { kind: 'failed', error: appError('stdinTooLong') };
      return undefined;
    }
  }
  rest += decoder.end();
  if (rest !== '') yield toLine(rest);
  return undefined;
}

function toLine(text: string): InputLine {
  return { kind: 'line', text: text.replace(/\r$/, ''), continues: false };
}
