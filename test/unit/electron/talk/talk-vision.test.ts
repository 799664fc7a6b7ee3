import { describe, expect, it } from 'vitest';
import type { ConversationEvent } from '../../../../electron/talk/conversation-options.ts';
import { TalkVision } from '../../../../electron/talk/talk-vision.ts';
import { FrameBudget } from '../../../../electron/vision/frame-budget.ts';
import type { DuplexMode } from '../../../../shared/protocol/realtime-api.ts';
import { documentedMemory, type MemoryFacts } from '../../../../shared/vision/picture-memory.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';

describe('the frame budget of a talk', () => {
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

  it('learns of new sessions, of who speaks, and of the remaining context', () => {
    const { hear, calls, memories, vision } = opened();
    hear(session);
    hear({ event: 'floor', floor: 'both' }, { event: 'floor', floor: 'you' });
    hear({ event: 'floor', floor: 'parley' }, { event: 'floor', floor: 'nobody' });
    hear(
      { event: 'limits', limits: left },
      { event: 'limits', limits: { ...left, pruning: true } },
    );
    expect(memories.map(({ everyAppend }) => everyAppend)).toEqual([true]);
    expect(calls).toEqual([
      ['begin', 1000, 40],
      { userSpeaks: true, answerSounds: true },
      { userSpeaks: true, answerSounds: false },
      { userSpeaks: false, answerSounds: true },
      { userSpeaks: false, answerSounds: false },
      { tokensLeft: 5000, restPerSecond: undefined },
      // A pruning server is never full.
      { tokensLeft: undefined, restPerSecond: undefined },
    ]);
    expect(vision.contextUsage.view.spent.words).toBe(40);
  });

  it('is not used in an audio talk, whose context use is still counted', () => {
    const { hear, calls, memories, vision } = opened('audio');
    hear(session, { event: 'floor', floor: 'you' }, { event: 'limits', limits: left });
    expect([calls, memories]).toEqual([[], []]);
    expect(vision.contextUsage.view.spent.words).toBe(40);
  });
});
