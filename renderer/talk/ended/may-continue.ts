import type { TalkEnded } from '../../../shared/talk/talk-state.ts';

/**
 * Whether it can be gone on with: where that is what is offered, and where the person has ended it, who may think better
 * of it. After anything else there is something to be put right first.
 */
export function mayContinue({ ending, offer }: Pick<TalkEnded, 'ending' | 'offer'>): boolean {
  return offer === 'continue' || (offer === 'none' && ending.by === 'client');
}
