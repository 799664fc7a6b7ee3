import type { ChatPatch } from '../../shared/chat/chat-patch.ts';
import { AnswerPlayer } from './answer-player.ts';

/** Speaks only while the sound devices are free; a skipped answer can be played later. */
export class LockAwarePlayer extends AnswerPlayer {
  readonly #mayPlay: () => boolean;

  constructor(deps: ConstructorParameters<typeof AnswerPlayer>[0], canPlay: () => boolean) {
    super(deps);
    this.#mayPlay = canPlay;
  }

  override begin(turn: string, emit: (patch: ChatPatch) => void, before?: number): void {
    if (this.#mayPlay()) super.begin(turn, emit, before);
    else this.silence();
  }
}
