import type { CreatedEvent } from '../../shared/protocol/server-event.ts';
import { contextTokensOf } from '../../shared/protocol/token-usage.ts';
import { sendNextQuestion } from './live-chat.ts';
import { shownVoiceForm } from './shown-voice-form.ts';
import { enterPhase, emit, transitionTo } from './effect.ts';
import type { Transition } from './effect.ts';
import { emitMetrics } from './emit-metrics.ts';
import type { SessionContext, LiveState } from './session-state.ts';

/** The session is created: from here on sound and text go both ways. */
export function enterLive(context: SessionContext, created: CreatedEvent, at: number): Transition {
  const live: LiveState = {
    phase: 'live',
    context: { ...context, lastError: undefined },
    modeState: context.mode === 'chat' ? firstChatTalk : firstDuplexTalk(at),
  };
  const { dialect } = context;
  const { sessionId, runtimeMode, metrics } = created;
  const prepared = contextTokensOf(metrics?.usage);
  // A server that has not read its instructions yet has used nothing.
  const promptLength = created.promptLength ?? (prepared === 0 ? undefined : prepared);
  const entered = enterPhase(
    live,
    { do: 'discardChunk' },
    emit({ event: 'session', id: sessionId ?? '', dialect, runtimeMode, promptLength }),
    { do: 'rememberDialect', dialect, voiceForm: shownVoiceForm(context) },
    ...emitMetrics(created, undefined),
  );
  const asked = sendNextQuestion(live);
  return transitionTo(asked.state, ...entered.effects, ...asked.effects);
}

const firstChatTalk: LiveState['modeState'] = {
  kind: 'chat',
  count: 0,
  turn: 1,
  answer: undefined,
  givenUp: [],
};

function firstDuplexTalk(at: number): LiveState['modeState'] {
  return {
    kind: 'duplex',
    watchdogRunning: false,
    uplink: {
      count: 0,
      unanswered: [],
      waiting: [],
      echoes: false,
      answeredAt: at,
      hasAnswered: false,
      outputs: 0,
    },
    step: undefined,
    turns: {
      turn: 1,
      open: false,
      closesInStep: false,
      interrupting: false,
      interruptedAt: undefined,
      openedAt: undefined,
      voicedAt: undefined,
    },
  };
}
