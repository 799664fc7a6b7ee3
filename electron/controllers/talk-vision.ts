import type { DialectName, DuplexMode } from '../../shared/protocol/dialect-and-mode.ts';
import type { MemoryFacts } from '../../shared/vision/picture-memory.ts';
import { ContextSpending } from '../conversation/policies/context-spending.ts';
import type { SpendingEvent } from '../conversation/policies/context-spending.ts';
import type { ConversationEvent } from '../conversation/conversation-event.ts';
import type { Clock } from '../ports/clock.ts';
import type { FramePipeline } from '../vision/frame-pipeline.ts';

export interface TalkVisionDeps {
  readonly clock: Pick<Clock, 'now'>;
  readonly framePipeline: Pick<FramePipeline, 'setMemory' | 'budget' | 'frameTokens'>;
  /** What is known of this server's memory, once its session's dialect is. */
  readonly memory: (dialect: DialectName) => MemoryFacts;
}

/** What a talk spends of the model's memory, and how it goes, as far as that says what a picture is worth. */
export class TalkVision {
  readonly spending: ContextSpending;
  readonly #mode: DuplexMode;
  readonly #deps: TalkVisionDeps;

  constructor(mode: DuplexMode, deps: TalkVisionDeps) {
    this.#mode = mode;
    this.#deps = deps;
    this.spending = new ContextSpending(() => deps.framePipeline.frameTokens);
  }

  /** Everything that the talk emits. */
  hear(event: ConversationEvent): void {
    if (isSpending(event)) this.spending.hear(event);
    if (this.#mode !== 'video') return;
    const { framePipeline, clock, memory } = this.#deps;
    const { budget } = framePipeline;
    const now = clock.now();
    if (event.event === 'session') {
      framePipeline.setMemory(memory(event.dialect));
      budget.begin(now, event.promptLength);
    } else if (event.event === 'floor') {
      const { floor } = event;
      budget.attend(now, {
        personSpeaks: floor === 'you' || floor === 'both',
        answerSounds: floor === 'parley' || floor === 'both',
      });
    } else if (event.event === 'limits') {
      const { tokens, pruning } = event.left;
      budget.measured(now, {
        tokensLeft: pruning ? undefined : tokens,
        restPerSecond: this.spending.restPerSecond,
      });
    }
  }
}

function isSpending(event: ConversationEvent): event is SpendingEvent {
  const { event: name } = event;
  return name === 'session' || name === 'sent' || name === 'text' || name === 'metrics';
}
