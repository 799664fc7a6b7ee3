import type { Screen, Terminal } from '../terminal-command.ts';
import {
  beginningThatFits,
  displayWidth,
  endThatFits,
  linesThatFit,
  maxGraphemeLength,
} from './display-width.ts';

const escape = '\u001b';

/** A line at the bottom that is rewritten in place, below settled lines. A pipe gets only settled lines. */
export class LiveLine {
  readonly #out: Terminal['out'];
  readonly #screen: Screen | undefined;
  #shown = '';
  /** The label comes before the text and is never shortened. */
  label = '';

  constructor({ out, screen }: Terminal) {
    this.#out = out;
    this.#screen = screen;
  }

  /** Shows a text with a dimmed end. A long text loses its beginning. */
  rewrite(text: string, dimmed = ''): void {
    if (this.#screen === undefined) return;
    const label = this.label === '' ? '' : `${this.label} · `;
    const room = Math.max(10, this.#columns() - displayWidth(label));
    // Measures only the part that can be visible.
    const maxLength = maxGraphemeLength * room;
    const end = text.slice(-maxLength);
    // The text gets at least half of the line, and more if the dimmed end is short.
    const textWidth = displayWidth(end);
    const minTextWidth = Math.min(textWidth, Math.ceil(room / 2));
    const dimmedPart = beginningThatFits(dimmed.slice(0, maxLength), room - minTextWidth);
    const maxTextWidth = room - displayWidth(dimmedPart);
    const textPart = textWidth <= maxTextWidth ? end : `…${endThatFits(end, maxTextWidth - 1)}`;
    const line = `${label}${textPart}${this.#dim(dimmedPart)}`;
    if (line === this.#shown) return;
    this.#shown = line;
    this.#out(`\r${line}${escape}[K`);
  }

  /** Writes a permanent line, wrapped between words. */
  settle(text: string): void {
    this.clear();
    const lines = this.#screen === undefined ? [text] : linesThatFit(text, this.#columns());
    this.#out(`${lines.join('\n')}\n`);
  }

  /** Writes a dim, indented line, only on a screen. */
  addNote(text: string, indent = ''): void {
    if (this.#screen === undefined) return;
    this.clear();
    const lines = linesThatFit(text, this.#columns() - indent.length);
    this.#out(`${lines.map((line) => this.#dim(`${indent}${line}`)).join('\n')}\n`);
  }

  clear(): void {
    if (this.#shown !== '') this.#out(`\r${escape}[K`);
    this.#shown = '';
  }

  /**
   * The columns to use. The last one stays free, because some terminals wrap a full line. A terminal that does not know its
   * width says 0.
   */
  #columns(): number {
    return Math.max(10, (this.#screen?.columns() || 80) - 1);
  }

  #dim(text: string): string {
    return this.#screen?.colours === true && text !== ''
      ? `${escape}[2m${text}${escape}[22m`
      : text;
  }
}
