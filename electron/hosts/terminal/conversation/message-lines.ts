/** One message made of the lines that were typed or pasted. */
export class MessageLines {
  #lines: string[] = [];

  /** Something stands there that is not asked yet. */
  get begun(): boolean {
    return this.#lines.length > 0;
  }

  /** The message, once its last line is there: one that ends in a backslash, or was pasted before others, is not. */
  add(text: string, goesOn: boolean): string | undefined {
    const open = !goesOn && endsOpen.test(text);
    this.#lines.push(open ? text.slice(0, -1) : text);
    return goesOn || open ? undefined : this.take();
  }

  take(): string {
    const message = this.#lines.join('\n').trimEnd();
    this.#lines = [];
    return message;
  }
}

/** Two of them are one that is meant. */
const endsOpen = /(?<!\\)(?:\\\\)*\\$/;
