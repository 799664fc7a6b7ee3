import type { ReplayedNotice } from '../../../shared/replay/replayed-notice.ts';
import type { BridgeNotice } from '../../bridge/bridge.ts';

/** Of the talk that goes on: none of it belongs to a replay. */
const ofTheTalk: ReadonlySet<BridgeNotice['name']> = new Set([
  'level',
  'wire',
  'talkStep',
  'talkLimits',
]);

/** What is posted of a replay, in the words of a talk, for those who draw a talk by its notices. */
export function asOfTalk(notice: BridgeNotice): readonly BridgeNotice[] {
  if (notice.name === 'replayWire') return [{ name: 'wire', payload: notice.payload }];
  if (notice.name === 'replayLevel') return [{ name: 'level', payload: notice.payload }];
  if (notice.name === 'replayed') return notice.payload.flatMap(limitsOf);
  return ofTheTalk.has(notice.name) ? [] : [notice];
}

/** Of what the page gets for the scene, what is drawn past it as well. */
function limitsOf(one: ReplayedNotice): readonly BridgeNotice[] {
  return one.name === 'talkLimits' ? [{ name: 'talkLimits', payload: one.payload }] : [];
}
