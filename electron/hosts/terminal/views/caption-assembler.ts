import { patchCaption } from '../../../../shared/talk/caption-patch.ts';
import type { CaptionPatch, CaptionedTurn } from '../../../../shared/talk/caption-patch.ts';
import type { ViewEvent } from './terminal-view.ts';

type Caption = Extract<ViewEvent, { event: 'caption' }>;

interface Line {
  /** Heard of this turn before it was cut off; what still came of it follows. */
  readonly before: string;
  readonly words: CaptionedTurn;
}

/** What is further ahead is shown when it comes nearer: else each delta would write out all of a long answer. */
const maxUpcoming = 1000;

/** One line of words made of their patches: those of the turn that is being heard. */
export class CaptionAssembler {
  readonly #show: (caption: Caption) => void;
  /** By their turns, in the order in which they came. */
  readonly #lines = new Map<number, Line>();
  #settled = { turn: 0, heard: '' };
  #shown: Caption | undefined;

  constructor(show: (caption: Caption) => void) {
    this.#show = show;
  }

  readonly patch = (patch: CaptionPatch): void => {
    const known = this.#lines.get(patch.turn);
    const before = known?.before ?? this.#heardBefore(patch.turn);
    const line = { before, words: patchCaption(known?.words, patch) };
    this.#lines.set(patch.turn, line);
    this.#look();
    if (!line.words.settled) return;
    this.#settled = { turn: patch.turn, heard: heardOf(line) };
    this.#lines.delete(patch.turn);
    this.#look();
  };

  #heardBefore(turn: number): string {
    return this.#settled.turn === turn ? this.#settled.heard : '';
  }

  /** A turn is heard to its end before the next one is looked at. */
  #look(): void {
    const [line] = this.#lines.values();
    if (line === undefined) return;
    const caption = captionOf(line);
    if (caption.spoken === '' && caption.upcoming === '') return;
    if (this.#shown !== undefined && isSame(this.#shown, caption)) return;
    this.#shown = caption;
    this.#show(caption);
  }
}

/** What was cut off is no part of it. */
function captionOf(line: Line): Caption {
  const { turn, text, heard, cutFrom } = line.words;
  const end = Math.min(cutFrom ?? text.length, heard + maxUpcoming);
  const upcoming = text.slice(heard, end).trim();
  return { event: 'caption', turn, spoken: heardOf(line).trim(), upcoming };
}

function heardOf({ before, words }: Line): string {
  return before + words.text.slice(0, words.heard);
}

function isSame(one: Caption, other: Caption): boolean {
  return one.turn === other.turn && one.spoken === other.spoken && one.upcoming === other.upcoming;
}
