import type { ChatPatch } from '../../shared/chat/chat-patch.ts';
import { AnswerPlayer } from '../chat/answer-player.ts';

/** Speaks only while nobody else has the sound: an answer that is not spoken then can be played later. */
export class YieldingPlayer extends AnswerPlayer {
  readonly #mayPlay: () => boolean;

  constructor(needs: ConstructorParameters<typeof AnswerPlayer>[0], mayPlay: () => boolean) {
    super(needs);
    this.#mayPlay = mayPlay;
  }

  override begin(turn: string, tell: (patch: ChatPatch) => void): void {
    if (this.#mayPlay()) super.begin(turn, tell);
    else this.silence();
  }
}
