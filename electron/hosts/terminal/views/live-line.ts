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
  /** Shown before the text, and never shortened. */
  label = '';

  constructor({ out, screen }: Terminal) {
    this.#out = out;
    this.#screen = screen;
  }

  /** Shows a text with a dimmed end; a long text loses its beginning. */
  rewrite(text: string, dimmed = ''): void {
    if (this.#screen === undefined) return;
    const label = this.label === '' ? '' : `${this.label} · `;
    const room = Math.max(10, this.#room() - displayWidth(label));
    // Measures only the part that can be visible.
    const near = maxGraphemeLength * room;
    const end = text.slice(-near);
    // Heard text may take half of the line, and more if the rest is short.
    const needs = displayWidth(end);
    const heardNeeds = Math.min(needs, Math.ceil(room / 2));
    const coming = beginningThatFits(dimmed.slice(0, near), room - heardNeeds);
    const left = room - displayWidth(coming);
    const heard = needs <= left ? end : `…${endThatFits(end, left - 1)}`;
    const line = `${label}${heard}${this.#dim(coming)}`;
    if (line === this.#shown) return;
    this.#shown = line;
    this.#out(`\r${line}${escape}[K`);
  }

  /** Writes a permanent line, wrapped between words. */
  settle(text: string): void {
    this.clear();
    const lines = this.#screen === undefined ? [text] : linesThatFit(text, this.#room());
    this.#out(`${lines.join('\n')}\n`);
  }

  /** Writes a dim, indented line, only on a screen. */
  remark(text: string, indent = ''): void {
    if (this.#screen === undefined) return;
    this.clear();
    const lines = linesThatFit(text, this.#room() - indent.length);
    this.#out(`${lines.map((line) => this.#dim(`${indent}${line}`)).join('\n')}\n`);
  }

  clear(): void {
    if (this.#shown !== '') this.#out(`\r${escape}[K`);
    this.#shown = '';
  }

  /** Leaves the last column free, because some terminals wrap a full line. */
  #room(): number {
    return Math.max(10, (this.#screen?.columns() ?? 80) - 1);
  }

  #dim(text: string): string {
    return this.#screen?.colours === true && text !== ''
      ? `${escape}[2m${text}${escape}[22m`
      : text;
  }
}
