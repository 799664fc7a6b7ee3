import type { ChatPatch } from '../../shared/chat/chat-patch.ts';
import { AnswerPlayer } from './answer-player.ts';

/** Speaks only while nobody else has the sound: an answer that is not spoken then can be played later. */
export class YieldingPlayer extends AnswerPlayer {
  readonly #mayPlay: () => boolean;

  constructor(deps: ConstructorParameters<typeof AnswerPlayer>[0], mayPlay: () => boolean) {
    super(deps);
    this.#mayPlay = mayPlay;
  }

  override begin(turn: string, emit: (patch: ChatPatch) => void, before?: number): void {
    if (this.#mayPlay()) super.begin(turn, emit, before);
    else this.silence();
  }
}
