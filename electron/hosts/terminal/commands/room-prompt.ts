import type { LineInput } from '../line-input.ts';
import type { Terminal } from '../terminal-command.ts';

/** What somebody answered; `stop` at Ctrl-C and where they close the input; nothing where nobody sits there. */
type Answer = { readonly text: string } | 'stop' | undefined;

/** Asks who sits at a prompt, one question at a time; between the questions Ctrl-C is the terminal's. */
export class RoomPrompt {
  readonly #openLines: Terminal['openLines'];
  #lines: LineInput | undefined;
  #stopped = false;

  /** Without anything to open nobody is asked. */
  constructor(openLines: Terminal['openLines']) {
    this.#openLines = openLines;
  }

  async ask(question: string): Promise<Answer> {
    const lines = this.#stopped ? undefined : this.#openLines?.(() => undefined);
    if (lines === undefined) return undefined;
    this.#lines = lines;
    try {
      if (!lines.typed) return undefined;
      const line = await lines.next(question);
      return line.kind === 'line' ? { text: line.text } : 'stop';
    } finally {
      lines.close();
      this.#lines = undefined;
    }
  }

  /** Whoever waits for an answer learns that there is none. */
  stop(): void {
    this.#stopped = true;
    this.#lines?.close();
  }
}
