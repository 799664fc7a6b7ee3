import type { GenerationOptions } from '../../shared/protocol/client-event.ts';
import type { SessionEvent } from '../session/session-event.ts';
import type { AnswerPlayout } from './answer-playout.ts';
import type { ConversationEvent } from './conversation-event.ts';
import type { ConversationMonitor } from './conversation-monitor.ts';
import type { FloorTracker } from './floor-tracker.ts';
import type { HandOver } from './hand-over.ts';
import { refusedField } from './policies/refused-field.ts';
import type { TalkLifecycle } from './talk-lifecycle.ts';
import type { UplinkPath } from './uplink-path.ts';

interface Parts {
  readonly monitor: Pick<ConversationMonitor, 'onSessionEvent'>;
  readonly uplink: Pick<UplinkPath, 'onSessionEvent'>;
  readonly floor: Pick<FloorTracker, 'onSessionEvent'>;
  readonly answer: Pick<AnswerPlayout, 'begin' | 'text' | 'audio' | 'turnEnded' | 'yielded'>;
  readonly lifecycle: Pick<TalkLifecycle, 'entered' | 'queued' | 'ended'>;
  readonly handOver: Pick<HandOver, 'onEnded'>;
  readonly emit: (event: ConversationEvent) => void;
  /** What the sessions are configured with. */
  readonly generation: GenerationOptions | undefined;
}

/** Brings what the present session emits to the parts that it concerns, and passes it on. */
export function sessionEventRouter({
  monitor,
  uplink,
  floor,
  answer,
  lifecycle,
  handOver,
  emit,
  generation,
}: Parts): (event: SessionEvent) => void {
  /** Who has answered has taken the configuration, which is that of all sessions: what ends one then is something else. */
  let answered = false;
  return (event) => {
    monitor.onSessionEvent(event);
    uplink.onSessionEvent(event);
    floor.onSessionEvent(event);
    switch (event.event) {
      case 'state':
        emit(event);
        if (event.state === 'live') answer.begin();
        lifecycle.entered(event.state);
        break;
      case 'queue':
        emit(event);
        lifecycle.queued(event);
        break;
      case 'text':
        answered = true;
        emit(event);
        answer.text(event.turn, event.text);
        break;
      case 'audio':
        answered = true;
        answer.audio(event.turn, event.audio);
        emit(event);
        break;
      case 'turnEnded':
        emit(event);
        answer.turnEnded(event.turn);
        break;
      case 'listen':
        emit({ ...event, flushedSamples: event.yields ? answer.yielded() : 0 });
        break;
      case 'closed':
        if (handOver.onEnded()) break;
        lifecycle.ended(answered ? event : { ...event, ...refusedField(event, generation) });
        break;
      case 'session':
      case 'sent':
      case 'dropped':
      case 'done':
      case 'metrics':
      case 'error':
      case 'unknown':
        emit(event);
    }
  };
}
