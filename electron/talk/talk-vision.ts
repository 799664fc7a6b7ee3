import type { Clock } from '../../shared/ports/clock.ts';
import type { DialectName, DuplexMode } from '../../shared/protocol/realtime-api.ts';
import type { MemoryFacts } from '../../shared/vision/picture-memory.ts';
import type { FramePipeline } from '../vision/frame-pipeline.ts';
import { ContextUsage } from './context-usage.ts';
import type { ConversationEvent } from './conversation-options.ts';

export interface TalkVisionDeps {
  readonly clock: Pick<Clock, 'now'>;
  readonly framePipeline: Pick<FramePipeline, 'setMemory' | 'budget' | 'frameTokens'>;
  readonly memory: (dialect: DialectName) => MemoryFacts;
}

/** Tells the frame budget how much context a talk has left, and who speaks. */
export class TalkVision {
  readonly contextUsage: ContextUsage;
  readonly #mode: DuplexMode;
  readonly #deps: TalkVisionDeps;

  constructor(mode: DuplexMode, deps: TalkVisionDeps) {
    this.#mode = mode;
    this.#deps = deps;
    this.contextUsage = new ContextUsage(() => deps.framePipeline.frameTokens);
  }

  onEvent(event: ConversationEvent): void {
    this.contextUsage.onEvent(event);
    if (this.#mode !== 'video') return;
    const { framePipeline, clock, memory } = this.#deps;
    const { budget } = framePipeline;
    const now = clock.now();
    if (event.event === 'session') {
      framePipeline.setMemory(memory(event.dialect));
      budget.begin(now, event.promptLength);
    } else if (event.event === 'floor') {
      const { floor } = event;
      budget.setAttention(now, {
        userSpeaks: floor === 'you' || floor === 'both',
        answerSounds: floor === 'parley' || floor === 'both',
      });
    } else if (event.event === 'limits') {
      const { tokens, pruning } = event.limits;
      budget.setMemoryRoom(now, {
        tokensLeft: pruning ? undefined : tokens,
        restPerSecond: this.contextUsage.restPerSecond,
      });
    }
  }
}
