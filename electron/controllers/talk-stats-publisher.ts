import type { ContextSpent } from '../../shared/talk/context-spent.ts';
import type { EchoState, TalkStep } from '../../shared/talk/talk-latency.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { ConversationEvent } from '../conversation/conversation-event.ts';
import { serverStepMs } from '../conversation/policies/latency-stats.ts';
import type { PostNotice } from '../../shared/ipc/contract.ts';

/** How fast a talk goes: a notice with every step of the model. */
export class TalkStatsPublisher {
  readonly #post: PostNotice;
  /** What was measured since the last step, the last of each kind. */
  #latest: TalkStep['latest'] = {};

  constructor(post: PostNotice) {
    this.#post = post;
  }

  publish(
    event: ConversationEvent,
    conversation: Pick<Conversation, 'stats'>,
    {
      echo,
      memory,
    }: { readonly echo?: EchoState | undefined; readonly memory?: ContextSpent } = {},
  ): void {
    if (event.event === 'measure') this.#latest = { ...this.#latest, [event.kind]: event.ms };
    if (event.event !== 'metrics') return;
    const { playout, unanswered } = conversation.stats();
    const buffer = playout && { bufferMs: playout.bufferMs, targetMs: playout.targetMs };
    const { roundTripMs, metrics } = event;
    const serverMs = serverStepMs(metrics);
    this.#post('talkStep', {
      buffer,
      ...(echo !== undefined && { echo }),
      ...(memory !== undefined && { memory }),
      unanswered,
      latest: {
        ...this.#latest,
        ...(roundTripMs !== undefined && { roundTrip: roundTripMs }),
        ...(serverMs !== undefined && { serverStep: serverMs }),
      },
    });
    this.#latest = {};
  }
}
