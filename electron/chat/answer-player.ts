import type { ChatPatch } from '../../shared/chat/chat-patch.ts';
import { type Clock, repeatEvery } from '../../shared/ports/clock.ts';
import type { Playback } from '../audio/playback/playback.ts';
import { LiveCaptions } from '../talk/captions/live-captions.ts';

interface Deps {
  readonly clock: Clock;
  readonly playback: Playback;
}

interface Playing {
  readonly turn: string;
  readonly emit: (patch: ChatPatch) => void;
  /** The playback counts what it plays; an answer that is played twice is two of them. */
  readonly number: number;
  readonly captions: LiveCaptions;
  /** Letters of the turn before those that are spoken now. */
  readonly before: number;
  /** Where the playhead was when it began. */
  readonly from: number;
  /** Letters of its text that were heard, and those that were told. */
  heard: number;
  toldHeard: number | undefined;
  sounded: boolean;
  ended: boolean;
}

/** Two hours of speech; a text beyond it is shown, but not followed. */
const maxSpokenLetters = 100_000;

/** How often is looked where the playhead is; where a word stands does not depend on it. */
const pollMs = 40;

/** Speaks one answer at a time, and says how far it has been heard. There is one for each playback. */
export class AnswerPlayer {
  readonly #deps: Deps;
  readonly #begun: number;
  #count = 0;
  #playing: Playing | undefined;
  #stopPolling: (() => void) | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#begun = deps.clock.now();
  }

  begin(turn: string, emit: (patch: ChatPatch) => void, before = 0): void {
    this.silence();
    this.#count += 1;
    const playing: Playing = {
      turn,
      emit,
      number: this.#count,
      before,
      captions: new LiveCaptions({
        maxLetters: maxSpokenLetters,
        patch: ({ heard = playing.heard }) => {
          playing.heard = heard;
        },
        settled: () => undefined,
      }),
      from: this.#deps.playback.playhead,
      heard: 0,
      toldHeard: undefined,
      sounded: false,
      ended: false,
    };
    this.#playing = playing;
  }

  text(text: string): void {
    const playing = this.#playing;
    playing?.captions.text(playing.number, text);
  }

  audio(audio: Float32Array): void {
    const playing = this.#playing;
    if (playing === undefined || audio.length === 0) return;
    playing.captions.audio(playing.number, audio);
    // Time in which nothing was played has passed as silence, and must not be made up for.
    this.#advance();
    // The playback may do with its samples what it likes; ours are kept to be played again.
    this.#deps.playback.write(audio.slice(), playing.number);
    if (playing.sounded) return;
    playing.sounded = true;
    if (this.#poll() === 'done') return;
    this.#stopPolling = repeatEvery(this.#deps.clock, pollMs, () => this.#poll());
  }

  end(): void {
    const playing = this.#playing;
    if (playing === undefined) return;
    playing.ended = true;
    playing.captions.turnEnded(playing.number);
    this.#deps.playback.turnEnded(playing.number);
    if (!playing.sounded) this.#playing = undefined;
  }

  /** At once; what was heard until then stays marked as heard. */
  silence(): void {
    const playing = this.#playing;
    if (playing === undefined) return;
    this.#stopPolling?.();
    this.#deps.playback.flush();
    this.#playing = undefined;
    if (playing.sounded) emitHeard(playing, false);
  }

  #advance(): void {
    this.#deps.playback.advanceTo(this.#deps.clock.now() - this.#begun);
  }

  #poll(): 'done' | undefined {
    const playing = this.#playing;
    if (playing === undefined) return 'done';
    const { playback } = this.#deps;
    this.#advance();
    const over = playing.ended && playback.drained;
    playing.captions.at(playback.playhead - playing.from);
    if (over) this.#playing = undefined;
    if (over || playing.heard !== playing.toldHeard) emitHeard(playing, !over);
    return over ? 'done' : undefined;
  }
}

function emitHeard(playing: Playing, goesOn: boolean): void {
  const { turn, emit, heard, before } = playing;
  playing.toldHeard = heard;
  emit({ kind: 'caption', turn, heard: before + heard, playing: goesOn });
}

/** The speech of answers, kept to be played again as long as there is room for it. */
export class SpeechCache {
  readonly #maxSamples: number;
  readonly #evicted: (turn: string) => void;
  readonly #speeches = new Map<string, { pieces: Float32Array[]; samples: number }>();
  #samples = 0;

  /** `letGo` hears of the oldest speeches, which make room for newer ones. */
  constructor(mostSamples: number, letGo: (turn: string) => void) {
    this.#maxSamples = mostSamples;
    this.#evicted = letGo;
  }

  /** Says how many samples of the turn are kept now. */
  add(turn: string, audio: Float32Array): number {
    const speech = this.#speeches.get(turn) ?? { pieces: [], samples: 0 };
    this.#speeches.set(turn, speech);
    speech.pieces.push(audio);
    speech.samples += audio.length;
    this.#samples += audio.length;
    for (const oldest of this.#speeches.keys()) {
      if (this.#samples <= this.#maxSamples) break;
      // Also the newest, where it alone is too long: half a speech would be worse than none.
      this.drop(oldest);
      this.#evicted(oldest);
    }
    return this.#speeches.get(turn)?.samples ?? 0;
  }

  of(turn: string): readonly Float32Array[] {
    return this.#speeches.get(turn)?.pieces ?? [];
  }

  drop(turn: string): void {
    this.#samples -= this.#speeches.get(turn)?.samples ?? 0;
    this.#speeches.delete(turn);
  }
}
