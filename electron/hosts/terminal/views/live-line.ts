import type { Screen, Terminal } from '../terminal-command.ts';
import {
  beginningThatFits,
  displayWidth,
  endThatFits,
  linesThatFit,
  maxGraphemeLength,
} from './display-width.ts';

const escape = '\u001b';

/** The one line at the bottom that is written anew, with settled lines going up above it; in a pipe only these are written. */
export class LiveLine {
  readonly #out: Terminal['out'];
  readonly #screen: Screen | undefined;
  #shown = '';
  /** Stands before whatever is shown, and never makes way for it. */
  label = '';

  constructor({ out, screen }: Terminal) {
    this.#out = out;
    this.#screen = screen;
  }

  /** Shows a text, the end of which is dim; where it is too long, its older part goes. */
  rewrite(text: string, dimmed = ''): void {
    if (this.#screen === undefined) return;
    const label = this.label === '' ? '' : `${this.label} · `;
    const room = Math.max(10, this.#room() - displayWidth(label));
    // No more of a long answer is measured than can be seen.
    const near = maxGraphemeLength * room;
    const end = text.slice(-near);
    // What was heard may take half of the line, and all that the rest does not need.
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

  /** Writes a line that stays, broken between words. */
  settle(text: string): void {
    this.clear();
    const lines = this.#screen === undefined ? [text] : linesThatFit(text, this.#room());
    this.#out(`${lines.join('\n')}\n`);
  }

  /** The same for what only a person at the screen wants to know: dim, and indented. */
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

  /** The last column stays free: a full line would make some screens break it. */
  #room(): number {
    return Math.max(10, (this.#screen?.columns() ?? 80) - 1);
  }

  #dim(text: string): string {
    return this.#screen?.colours === true && text !== ''
      ? `${escape}[2m${text}${escape}[22m`
      : text;
  }
}
