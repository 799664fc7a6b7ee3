import type { ChatPatch } from '../../shared/chat/chat-patch.ts';
import type { Playback } from '../audio/playback.ts';
import type { Clock } from '../ports/clock.ts';
import type { Captions } from '../session/captions.ts';

/** How an answer's speech is heard. `turnEnded` is for playbacks that wait for more where they can. */
export type ChatPlayback = Playback & { readonly turnEnded?: (turn: number) => void };

interface PlayerNeeds {
  readonly clock: Clock;
  readonly playback: ChatPlayback;
  readonly createCaptions: () => Captions;
}

interface Playing {
  readonly turn: string;
  readonly tell: (patch: ChatPatch) => void;
  /** The playback counts what it plays; an answer that is played twice is two of them. */
  readonly number: number;
  readonly captions: Captions;
  /** Where the playhead was when it began. */
  readonly from: number;
  text: string;
  heard: number;
  sounded: boolean;
  ended: boolean;
}

/** How often is looked where the playhead is; where a word stands does not depend on it. */
const lookMs = 40;

/** Speaks one answer at a time, and says how far it has been heard. There is one for each playback. */
export class AnswerPlayer {
  readonly #needs: PlayerNeeds;
  readonly #begun: number;
  #count = 0;
  #playing: Playing | undefined;
  #stopLooking: (() => void) | undefined;

  constructor(needs: PlayerNeeds) {
    this.#needs = needs;
    this.#begun = needs.clock.now();
  }

  begin(turn: string, tell: (patch: ChatPatch) => void): void {
    this.silence();
    this.#count += 1;
    this.#playing = {
      turn,
      tell,
      number: this.#count,
      captions: this.#needs.createCaptions(),
      from: this.#needs.playback.playhead,
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
    this.#needs.playback.write(audio.slice(), playing.number);
    if (playing.sounded) return;
    playing.sounded = true;
    this.#look();
  }

  end(): void {
    const playing = this.#playing;
    if (playing === undefined) return;
    playing.ended = true;
    playing.captions.turnEnded(playing.number);
    this.#needs.playback.turnEnded?.(playing.number);
    if (!playing.sounded) this.#playing = undefined;
  }

  /** At once; what was heard until then stays marked as heard. */
  silence(): void {
    const playing = this.#playing;
    if (playing === undefined) return;
    this.#stopLooking?.();
    this.#needs.playback.flush();
    this.#playing = undefined;
    if (playing.sounded) tellHeard(playing, false);
  }

  #advance(): void {
    this.#needs.playback.advanceTo(this.#needs.clock.now() - this.#begun);
  }

  #look(): void {
    const playing = this.#playing;
    if (playing === undefined) return;
    const { playback, clock } = this.#needs;
    this.#advance();
    const over = playing.ended && playback.drained;
    const { spoken } = playing.captions.at(playback.playhead - playing.from);
    const heard = spoken === '' ? 0 : leadOf(playing.text) + spoken.length;
    const news = heard !== playing.heard || playing.heard === 0;
    playing.heard = heard;
    if (over) this.#playing = undefined;
    if (over || news) tellHeard(playing, !over);
    if (!over) {
      this.#stopLooking = clock.after(lookMs, () => {
        this.#look();
      });
    }
  }
}

function tellHeard({ turn, tell, heard }: Playing, playing: boolean): void {
  tell({ kind: 'caption', turn, heard, playing });
}

/** Captions leave out the space at the beginning. */
function leadOf(text: string): number {
  return text.length - text.trimStart().length;
}
