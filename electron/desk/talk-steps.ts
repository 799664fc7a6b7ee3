import type { TalkStep } from '../../shared/talk/talk-measures.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { ConversationEvent } from '../conversation/conversation-event.ts';
import type { Post } from './talk-news.ts';

/** How fast a talk goes: told with every step of the model. */
export class TalkSteps {
  readonly #post: Post;
  /** What was measured since the last step, the last of each kind. */
  #latest: TalkStep['latest'] = {};

  constructor(post: Post) {
    this.#post = post;
  }

  hear(event: ConversationEvent, { figures }: Pick<Conversation, 'figures'>): void {
    if (event.event === 'measure') this.#latest = { ...this.#latest, [event.kind]: event.ms };
    if (event.event !== 'metrics') return;
    const { measures, playout } = figures();
    const buffer = playout && { bufferMs: playout.bufferMs, targetMs: playout.targetMs };
    this.#post('measures', measures);
    this.#post('talkStep', { buffer, latest: this.#latest });
    this.#latest = {};
  }
}
