import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { type AppError, appError } from '../../../shared/errors/app-error.ts';

/** A line, or the reason why none was read. */
export type InputLine =
  /** `continues`: more lines of the same paste follow. */
  | { readonly kind: 'line'; readonly text: string; readonly continues: boolean }
  /** Ctrl-C at the prompt. `cleared`: it removed typed text. */
  | { readonly kind: 'interrupted'; readonly cleared: boolean }
  | { readonly kind: 'ended' }
  | { readonly kind: 'failed'; readonly error: AppError };

export interface LineInput {
  readonly typed: boolean;
  /** Reads one line. Lines that were typed before it is called wait for it. */
  readonly next: (prompt: string) => Promise<InputLine>;
  /** Ends a pending read. */
  readonly close: () => void;
}

/** Calls `onInterrupt` on Ctrl-C if no read is pending. */
export type OpenLineInput = (onInterrupt: () => void) => LineInput;

/** Switch bracketed paste on and off. While it is on, the line ends of a paste do not send a message. */
const bracketedPasteOn = '\u001b[?2004h';
const bracketedPasteOff = '\u001b[?2004l';

interface TypingScreen {
  readonly write: (text: string) => void;
  readonly columns: () => number;
  readonly onResize: (listener: () => void) => void;
}

/**
 * Lines typed at a prompt, with history and line editing. Text that is typed during an answer is not echoed before the
 * next prompt.
 */
export class TypedLines implements LineInput {
  readonly typed = true;
  readonly #editor: Interface;
  readonly #screen: TypingScreen;
  readonly #echo: EditorEcho;
  readonly #onInterrupt: () => void;
  #typedAhead: InputLine[] = [];
  #resolveNext: ((line: InputLine) => void) | undefined;
  #isPasting = false;
  #isClosed = false;

  constructor(input: NodeJS.ReadableStream, screen: TypingScreen, onInterrupt: () => void) {
    this.#screen = screen;
    this.#onInterrupt = onInterrupt;
    this.#echo = new EditorEcho(screen);
    this.#editor = createInterface({
      input,
      output: this.#echo,
      terminal: true,
      crlfDelay: Infinity,
      removeHistoryDuplicates: true,
    });
    this.#editor.on('line', (text) => {
      this.#deliver({ kind: 'line', text, continues: this.#isPasting });
    });
    this.#editor.on('SIGINT', this.#onCtrlC);
    this.#editor.on('close', this.#onClose);
    input.on('keypress', (_text: unknown, key: { readonly name?: string | undefined }) => {
      if (key.name === 'paste-start') this.#isPasting = true;
      if (key.name === 'paste-end') this.#isPasting = false;
    });
    screen.write(bracketedPasteOn);
  }

  readonly next = (prompt: string): Promise<InputLine> => {
    const line = this.#typedAhead.shift();
    if (line !== undefined) {
      if (line.kind === 'line') this.#screen.write(`${prompt}${line.text}\n`);
      return Promise.resolve(line);
    }
    if (this.#isClosed) return Promise.resolve({ kind: 'ended' });
    this.#echo.isVisible = true;
    this.#editor.setPrompt(prompt);
    this.#editor.prompt(true);
    return new Promise((resolve) => {
      this.#resolveNext = resolve;
    });
  };

  readonly close = (): void => this.#editor.close();

  #deliver(line: InputLine): void {
    const resolve = this.#resolveNext;
    this.#resolveNext = undefined;
    this.#echo.isVisible = false;
    if (resolve === undefined) this.#typedAhead.push(line);
    else resolve(line);
  }

  readonly #onCtrlC = (): void => {
    const cleared = this.#editor.line !== '';
    const isAtPrompt = this.#resolveNext !== undefined;
    this.#isPasting = false;
    this.#editor.write(null, { ctrl: true, name: 'e' });
    if (isAtPrompt) this.#screen.write('^C\n');
    this.#echo.isVisible = false;
    this.#editor.write(null, { ctrl: true, name: 'u' });
    // Lines that were typed ahead were meant for the interrupted answer.
    this.#typedAhead = [];
    if (isAtPrompt) this.#deliver({ kind: 'interrupted', cleared });
    else this.#onInterrupt();
  };

  readonly #onClose = (): void => {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#screen.write(`${this.#echo.isVisible ? '\n' : ''}${bracketedPasteOff}`);
    if (this.#resolveNext !== undefined) this.#deliver({ kind: 'ended' });
  };
}

/** The line editor's output, which is muted while an answer is shown. */
class EditorEcho extends Writable {
  isVisible = false;
  readonly #screen: TypingScreen;

  constructor(screen: TypingScreen) {
    super();
    this.#screen = screen;
    screen.onResize(() => this.emit('resize'));
  }

  /** Infinite while muted, so that the editor does not wrap lines or move up. */
  get columns(): number {
    return this.isVisible ? this.#screen.columns() : Infinity;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    if (this.isVisible) this.#screen.write(chunk.toString());
    done();
  }
}

/** Longer than any message. Guards against binary input without line ends. */
const maxLineBytes = 4 * 1024 * 1024;

type Pipe = AsyncIterable<Buffer | string> & { readonly destroy: () => unknown };

const endOfInput: InputLine = { kind: 'ended' };

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
      return (await this.#lines.next()).value ?? endOfInput;
    } catch {
      // The pipe was closed, here or at the other end.
      return endOfInput;
    }
  };

  /** Closes the pipe, which would otherwise keep the process alive. */
  readonly close = (): void => {
    this.#stream.destroy();
  };
}

async function* readLines(stream: Pipe): AsyncGenerator<InputLine, undefined> {
  const decoder = new StringDecoder('utf8');
  let buffer = '';
  for await (const chunk of stream) {
    const parts = (buffer + (typeof chunk === 'string' ? chunk : decoder.write(chunk))).split('\n');
    buffer = parts.pop() ?? '';
    for (const text of parts) yield toLine(text);
    if (buffer.length > maxLineBytes) {
      yield { kind: 'failed', error: appError('stdinTooLong') };
      return undefined;
    }
  }
  buffer += decoder.end();
  if (buffer !== '') yield toLine(buffer);
  return undefined;
}

function toLine(text: string): InputLine {
  return { kind: 'line', text: text.replace(/\r$/, ''), continues: false };
}
