import type { ChatPatch } from '../../shared/chat/chat-thread.ts';
import { type Clock, repeatEvery } from '../../shared/ports/clock.ts';
import type { Playback } from '../audio/playback/playback.ts';
import { LiveCaptions } from '../talk/captions/live-captions.ts';

interface Deps {
  readonly clock: Clock;
  readonly playback: Playback;
  /** Whether the sound devices are free; true if omitted. An answer that is skipped can be played later. */
  readonly canPlay?: (() => boolean) | undefined;
}

interface Playing {
  readonly turn: string;
  readonly emit: (patch: ChatPatch) => void;
  /** The turn number that the playback knows. Each time an answer is played, it gets a new one. */
  readonly number: number;
  readonly captions: LiveCaptions;
  /** Characters of the turn that precede the spoken text. */
  readonly charactersBefore: number;
  /** Playhead position at the start. */
  readonly startPlayhead: number;
  /** Characters heard so far, and the count last emitted. */
  heard: number;
  emittedHeard: number | undefined;
  hasAudio: boolean;
  hasEnded: boolean;
}

/** About two hours of speech. The captions do not follow text beyond it. */
const maxSpokenCharacters = 100_000;

/** How often the playhead is polled. Word positions do not depend on it. */
const pollMs = 40;

/**
 * Speaks one answer at a time and reports how much of it was heard. Each playback has one player, which several
 * conversations may share. Text and sound of an answer other than the one that began last are ignored.
 */
export class AnswerPlayer {
  readonly #deps: Deps;
  readonly #startedAt: number;
  #count = 0;
  #playing: Playing | undefined;
  #stopPolling: (() => void) | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#startedAt = deps.clock.now();
  }

  begin(turn: string, emit: (patch: ChatPatch) => void, charactersBefore = 0): void {
    this.silence();
    if (this.#deps.canPlay?.() === false) return;
    this.#count += 1;
    const playing: Playing = {
      turn,
      emit,
      number: this.#count,
      charactersBefore,
      captions: new LiveCaptions({
        maxLength: maxSpokenCharacters,
        onPatch: ({ heard = playing.heard }) => {
          playing.heard = heard;
        },
        onSettled: () => undefined,
      }),
      startPlayhead: this.#deps.playback.playhead,
      heard: 0,
      emittedHeard: undefined,
      hasAudio: false,
      hasEnded: false,
    };
    this.#playing = playing;
  }

  addText(turn: string, text: string): void {
    const playing = this.#playingOf(turn);
    playing?.captions.addText(playing.number, text);
  }

  audio(turn: string, audio: Float32Array): void {
    const playing = this.#playingOf(turn);
    if (playing === undefined || audio.length === 0) return;
    playing.captions.addAudio(playing.number, audio);
    // Advances the playback over the time without sound first, so that it does not rush to catch up.
    this.#advance();
    // The playback may change its samples, so it gets a copy. The originals are cached for replay.
    this.#deps.playback.write(audio.slice(), playing.number);
    if (playing.hasAudio) return;
    playing.hasAudio = true;
    if (this.#poll() === 'done') return;
    this.#stopPolling = repeatEvery(this.#deps.clock, pollMs, () => this.#poll());
  }

  end(turn: string): void {
    const playing = this.#playingOf(turn);
    if (playing === undefined) return;
    playing.hasEnded = true;
    playing.captions.onTurnEnd(playing.number);
    this.#deps.playback.turnEnded(playing.number);
    if (!playing.hasAudio) this.#playing = undefined;
  }

  /** Stops at once. Text heard so far stays marked as heard. */
  silence(): void {
    const playing = this.#playing;
    if (playing === undefined) return;
    this.#stopPolling?.();
    this.#deps.playback.flush();
    this.#playing = undefined;
    if (playing.hasAudio) emitHeard(playing, false);
  }

  #playingOf(turn: string): Playing | undefined {
    return this.#playing?.turn === turn ? this.#playing : undefined;
  }

  #advance(): void {
    this.#deps.playback.advanceTo(this.#deps.clock.now() - this.#startedAt);
  }

  #poll(): 'done' | undefined {
    const playing = this.#playing;
    if (playing === undefined) return 'done';
    const { playback } = this.#deps;
    this.#advance();
    const isOver = playing.hasEnded && playback.isDrained;
    playing.captions.update(playback.playhead - playing.startPlayhead);
    if (isOver) this.#playing = undefined;
    if (isOver || playing.heard !== playing.emittedHeard) emitHeard(playing, !isOver);
    return isOver ? 'done' : undefined;
  }
}

function emitHeard(playing: Playing, isPlaying: boolean): void {
  const { turn, emit, heard, charactersBefore } = playing;
  playing.emittedHeard = heard;
  emit({ kind: 'caption', turn, heard: charactersBefore + heard, playing: isPlaying });
}

/** Caches the speech of answers for replay, and evicts the oldest. */
export class SpeechCache {
  readonly #maxSamples: number;
  readonly #onEvicted: (turn: string) => void;
  readonly #speeches = new Map<string, { pieces: Float32Array[]; samples: number }>();
  /** Turns whose speech was evicted. Later pieces of such speech are not cached. */
  readonly #evicted = new Set<string>();
  #samples = 0;

  /** `onEvicted` is called for each evicted speech, also for a new one that alone is too long. */
  constructor(maxSamples: number, onEvicted: (turn: string) => void) {
    this.#maxSamples = maxSamples;
    this.#onEvicted = onEvicted;
  }

  /** Returns the number of samples now cached for the turn. */
  add(turn: string, audio: Float32Array): number {
    if (this.#evicted.has(turn)) return 0;
    const speech = this.#speeches.get(turn) ?? { pieces: [], samples: 0 };
    this.#speeches.set(turn, speech);
    speech.pieces.push(audio);
    speech.samples += audio.length;
    this.#samples += audio.length;
    for (const oldest of this.#speeches.keys()) {
      if (this.#samples <= this.#maxSamples) break;
      // Evicts even the newest if it alone is too long: half a speech is worse than none.
      this.drop(oldest);
      this.#evicted.add(oldest);
      this.#onEvicted(oldest);
    }
    return this.#speeches.get(turn)?.samples ?? 0;
  }

  pieces(turn: string): readonly Float32Array[] {
    return this.#speeches.get(turn)?.pieces ?? [];
  }

  drop(turn: string): void {
    this.#samples -= this.#speeches.get(turn)?.samples ?? 0;
    this.#speeches.delete(turn);
  }
}
