import type { ChatPatch } from '../../shared/chat/chat-patch.ts';
import type { Playback } from '../sound/playback/playback.ts';
import type { Clock } from '../ports/clock.ts';
import type { ChatCaptions } from '../conversation/captions/chat-captions.ts';

interface Deps {
  readonly clock: Clock;
  readonly playback: Playback;
  readonly createCaptions: () => ChatCaptions;
}

interface Playing {
  readonly turn: string;
  readonly emit: (patch: ChatPatch) => void;
  /** The playback counts what it plays; an answer that is played twice is two of them. */
  readonly number: number;
  readonly captions: ChatCaptions;
  /** Where the playhead was when it began. */
  readonly from: number;
  text: string;
  heard: number;
  sounded: boolean;
  ended: boolean;
}

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

  begin(turn: string, emit: (patch: ChatPatch) => void): void {
    this.silence();
    this.#count += 1;
    this.#playing = {
      turn,
      emit,
      number: this.#count,
      captions: this.#deps.createCaptions(),
      from: this.#deps.playback.playhead,
      text: '',
      heard: 0,
      sounded: false,
      ended: false,
    };
  }

  text(text: string): void {
    const playing = this.#playing;
    if (playing === undefined) return;
    playing.text += text;
    playing.captions.text(playing.number, text);
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
    this.#poll();
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

  #poll(): void {
    const playing = this.#playing;
    if (playing === undefined) return;
    const { playback, clock } = this.#deps;
    this.#advance();
    const over = playing.ended && playback.drained;
    const { spoken } = playing.captions.at(playback.playhead - playing.from);
    const heard = spoken === '' ? 0 : leadOf(playing.text) + spoken.length;
    const news = heard !== playing.heard || playing.heard === 0;
    playing.heard = heard;
    if (over) this.#playing = undefined;
    if (over || news) emitHeard(playing, !over);
    if (!over) {
      this.#stopPolling = clock.after(pollMs, () => {
        this.#poll();
      });
    }
  }
}

function emitHeard({ turn, emit, heard }: Playing, playing: boolean): void {
  emit({ kind: 'caption', turn, heard, playing });
}

/** ChatCaptions leave out the space at the beginning. */
function leadOf(text: string): number {
  return text.length - text.trimStart().length;
}
