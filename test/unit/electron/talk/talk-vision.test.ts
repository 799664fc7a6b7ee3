import { expect, it } from 'vitest';
import { TalkVision } from '../../../../electron/talk/talk-vision.ts';
import type { ConversationEvent } from '../../../../electron/talk/conversation-options.ts';
import { FrameBudget } from '../../../../electron/vision/frame-budget.ts';
import type { DuplexMode } from '../../../../shared/protocol/realtime-api.ts';
import { documentedMemory, type MemoryFacts } from '../../../../shared/vision/picture-memory.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';

function opened(mode: DuplexMode = 'video') {
  const clock = new FakeClock();
  const calls: unknown[] = [];
  const memories: MemoryFacts[] = [];
  const budget = new FrameBudget();
  budget.begin = (at, promptTokens) => void calls.push(['begin', at, promptTokens]);
  budget.setAttention = (_at, attention) => void calls.push(attention);
  budget.setMemoryRoom = (_at, room) => void calls.push(room);
  const vision = new TalkVision(mode, {
    clock,
    framePipeline: { budget, frameTokens: 64, setMemory: (memory) => void memories.push(memory) },
    memory: (dialect) => ({ ...documentedMemory, everyAppend: dialect === 'legacy' }),
  });
  const hear = (...events: readonly ConversationEvent[]): void => {
    clock.advance(1000);
    for (const event of events) vision.onEvent(event);
  };
  return { hear, calls, memories, vision };
}

const session: ConversationEvent = {
  event: 'session',
  id: 's',
  dialect: 'legacy',
  promptLength: 40,
};
const left = { seconds: 90, tokens: 5000, tokenSeconds: 80, pruning: false };

it('a talk informs the budget about sessions, speech and remaining memory', () => {
  const { hear, calls, memories, vision } = opened();
  hear(session);
  hear({ event: 'floor', floor: 'both' }, { event: 'floor', floor: 'you' });
  hear({ event: 'floor', floor: 'parley' }, { event: 'floor', floor: 'nobody' });
  hear({ event: 'limits', limits: left }, { event: 'limits', limits: { ...left, pruning: true } });
  expect(memories.map(({ everyAppend }) => everyAppend)).toEqual([true]);
  expect(calls).toEqual([
    ['begin', 1000, 40],
    { personSpeaks: true, answerSounds: true },
    { personSpeaks: true, answerSounds: false },
    { personSpeaks: false, answerSounds: true },
    { personSpeaks: false, answerSounds: false },
    { tokensLeft: 5000, restPerSecond: undefined },
    // A pruning server is never full.
    { tokensLeft: undefined, restPerSecond: undefined },
  ]);
  expect(vision.spending.view.spent.words).toBe(40);
});

it('an audio talk tracks only its context usage', () => {
  const { hear, calls, memories, vision } = opened('audio');
  hear(session, { event: 'floor', floor: 'you' }, { event: 'limits', limits: left });
  expect([calls, memories]).toEqual([[], []]);
  expect(vision.spending.view.spent.words).toBe(40);
});
