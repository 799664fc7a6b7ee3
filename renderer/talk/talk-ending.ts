import type { TalkEnded, TalkEnding, TalkOffer } from '../../shared/talk/talk-state.ts';

export type EndingTitle =
  | 'client'
  | 'server'
  | 'limit'
  | 'context'
  | 'network'
  | 'unreached'
  | 'endpoint'
  | 'token'
  | 'crash';

/** Which of the few headlines an ending has; its own sentence says the rest. */
export function endingTitle({ by, error }: TalkEnding, offer: TalkOffer): EndingTitle {
  if (offer === 'checkEndpoint') return 'endpoint';
  if (offer === 'checkToken') return 'token';
  if (error.code === 'timeLimitReached') return 'limit';
  if (error.code === 'talkCutByCrash') return 'crash';
  if (error.code === 'memoryFull') return 'context';
  if (isUnreached({ by }, offer)) return 'unreached';
  return by;
}

/** It never came to a talk: there was nothing to lose, and the server may be written wrong. */
export function isUnreached({ by }: Pick<TalkEnding, 'by'>, offer: TalkOffer): boolean {
  return by === 'network' && offer === 'retry';
}

/**
 * Whether it can be gone on with: where that is what is offered, and where the person has ended it, who may think better
 * of it. After anything else there is something to be put right first.
 */
export function mayContinue({ ending, offer }: Pick<TalkEnded, 'ending' | 'offer'>): boolean {
  return offer === 'continue' || (offer === 'none' && ending.by === 'client');
}
