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

/** Picks the headline; the error's own sentence gives the details. */
export function endingTitle({ by, error }: TalkEnding, offer: TalkOffer): EndingTitle {
  if (offer === 'checkEndpoint') return 'endpoint';
  if (offer === 'checkToken') return 'token';
  if (error.code === 'timeLimitReached') return 'limit';
  if (error.code === 'talkCutByCrash') return 'crash';
  if (error.code === 'memoryFull') return 'context';
  if (isUnreached({ by }, offer)) return 'unreached';
  return by;
}

/** Whether the talk never connected; the server's address may be wrong. */
export function isUnreached({ by }: Pick<TalkEnding, 'by'>, offer: TalkOffer): boolean {
  return by === 'network' && offer === 'retry';
}

/** Whether the talk can continue as it is. After other endings something must be mended first. */
export function mayContinue({ ending, offer }: Pick<TalkEnded, 'ending' | 'offer'>): boolean {
  return offer === 'continue' || (offer === 'none' && ending.by === 'client');
}
