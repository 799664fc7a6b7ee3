import type { Screen, Terminal } from '../terminal-command.ts';
import {
  beginningThatFits,
  endThatFits,
  linesThatFit,
  displayWidth,
  maxGraphemeLength,
} from './display-width.ts';

const escape = '\u001b';

/** The one line at the bottom that is written anew, with settled lines going up above it. */
export class LiveLine {
  readonly #out: Terminal['out'];
  readonly #screen: Screen;
  #shown = '';
  /** Stands before whatever is shown, and never makes way for it. */
  label = '';

  constructor(out: Terminal['out'], screen: Screen) {
    this.#out = out;
    this.#screen = screen;
  }

  /** Shows a text, the end of which is dim; where it is too long, its older part goes. */
  rewrite(text: string, dimmed = ''): void {
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
    const line = `${label}${heard}${this.dim(coming)}`;
    if (line === this.#shown) return;
    this.#shown = line;
    this.#out(`\r${line}${escape}[K`);
  }

  /** Writes a line that stays, broken between words; one with an indent is dim. */
  settle(text: string, indent?: string): void {
    const room = this.#room() - (indent ?? '').length;
    const lines = linesThatFit(text, room).map((line) =>
      indent === undefined ? line : this.dim(`${indent}${line}`),
    );
    this.clear();
    this.#out(`${lines.join('\n')}\n`);
  }

  clear(): void {
    if (this.#shown !== '') this.#out(`\r${escape}[K`);
    this.#shown = '';
  }

  /** The last column stays free: a full line would make some screens break it. */
  #room(): number {
    return Math.max(10, this.#screen.columns() - 1);
  }

  dim(text: string): string {
    return this.#screen.colours && text !== '' ? `${escape}[2m${text}${escape}[22m` : text;
  }
}
