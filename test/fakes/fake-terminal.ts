import { runTerminal } from '../../electron/hosts/terminal/run-terminal.ts';
import type { Screen } from '../../electron/hosts/terminal/terminal-command.ts';

/** A terminal without a screen, which collects what a command writes. `interrupt` presses Ctrl-C. */
export function fakeTerminal() {
  const written = { out: '', err: '' };
  const interruptListeners = new Set<() => void>();
  return {
    written,
    interruptListeners,
    interrupt: () => {
      for (const listener of interruptListeners) listener();
    },
    terminal: {
      out: (text: string) => void (written.out += text),
      err: (text: string) => void (written.err += text),
      onInterrupt: (listener: () => void) => {
        interruptListeners.add(listener);
        return () => interruptListeners.delete(listener);
      },
    },
  };
}

/** Runs a `parley` command in this process, and returns its output and exit code. */
export async function parley(...args: readonly string[]) {
  const written = { out: '', err: '' };
  const code = await runTerminal(args, {
    out: (text) => void (written.out += text),
    err: (text) => void (written.err += text),
  });
  return { code, ...written };
}

/** A terminal with the sequences that Parley uses: lines, carriage return, erase to the end, dim. */
export class FakeScreen implements Screen {
  readonly colours: boolean;
  readonly #columns: number;
  #rows: string[] = [''];
  #column = 0;
  #dim = false;
  written = '';

  constructor(columns: number, colours = true) {
    this.#columns = columns;
    this.colours = colours;
  }

  readonly columns = (): number => this.#columns;

  readonly write = (text: string): void => {
    this.written += text;
    // oxlint-disable-next-line no-control-regex -- a terminal interprets control characters
    for (const [piece] of text.matchAll(/\u001b\[[\d;]*[a-zA-Z]|[\s\S]/gu)) this.#interpret(piece);
  };

  /** The visible rows; dim text is in ‹›. */
  shown(): readonly string[] {
    return this.#rows.map((row) => row.replaceAll('›‹', '').trimEnd());
  }

  #interpret(piece: string): void {
    if (piece === '\r') this.#column = 0;
    else if (piece === '\n') {
      this.#rows.push('');
      this.#column = 0;
    } else if (piece === '\u001b[K') this.#row = this.#cells().slice(0, this.#column).join('');
    else if (piece === '\u001b[2m') this.#dim = true;
    else if (piece === '\u001b[22m') this.#dim = false;
    else if (piece.startsWith('\u001b')) throw new Error(`unknown: ${JSON.stringify(piece)}`);
    else this.#put(piece);
  }

  #put(character: string): void {
    const cells = this.#cells();
    cells[this.#column] = this.#dim ? `‹${character}›` : character;
    this.#row = cells.join('');
    this.#column += 1;
  }

  #cells(): string[] {
    return (this.#rows.at(-1) ?? '').match(/‹[^]›|[^]/gu) ?? [];
  }

  set #row(row: string) {
    this.#rows = [...this.#rows.slice(0, -1), row];
  }
}
