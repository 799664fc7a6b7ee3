import type {
  CommonFields,
  DoneEvent,
  ListenEvent,
  OutputEvent,
  ServerErrorEvent,
} from '../../../shared/protocol/realtime-api.ts';
import {
  type ChatState,
  type Effect,
  emit,
  emitMetrics,
  type LiveState,
  type PartialAnswer,
  prependEffects,
  startTimer,
  type Transition,
  transitionTo,
} from './session-state.ts';
import { chatStallTimeoutMs, lateSoundAtMostMs } from './session-timing.ts';
import { responseNumber } from './uplink-queue.ts';

/** The late parts of a failed answer arrive soon after the failure, so few ids must be remembered. */
const maxGivenUp = 8;

/** Sends the oldest question, unless an answer is open or the session is paused. */
export function sendNextQuestion(state: LiveState): Transition {
  const { context, modeState } = state;
  const [question, ...questions] = context.questions;
  if (
    modeState.kind !== 'chat' ||
    modeState.answer !== undefined ||
    context.paused ||
    question === undefined
  )
    return transitionTo(state);
  const inputId = `${context.idPrefix}${modeState.count + 1}`;
  return transitionTo(
    {
      ...state,
      context: { ...context, questions },
      modeState: {
        ...modeState,
        count: modeState.count + 1,
        answer: { inputId, text: '', sounded: false, speaks: question.speech?.enabled === true },
      },
    },
    { do: 'send', message: { ...question, kind: 'chat', inputId }, dialect: context.dialect },
    startTimer('answer', chatStallTimeoutMs),
  );
}

/** Handles a part of an answer or its end; parts of a closed turn are ignored. */
export function handleAnswer(
  state: LiveState,
  modeState: ChatState,
  event: OutputEvent | ListenEvent | DoneEvent,
): Transition {
  const { answer } = modeState;
  if (answer === undefined || isStale(event, modeState, state.context.idPrefix))
    return transitionTo(state, ...emitMetrics(event, undefined));
  switch (event.kind) {
    case 'listen':
      return transitionTo(state, ...emitMetrics(event, undefined));
    case 'output':
      return handleDelta(state, modeState, answer, event);
    case 'done': {
      if (answer.ended !== undefined) return transitionTo(state, ...emitMetrics(event, undefined));
      const text = event.text === '' ? answer.text : event.text;
      const reason = event.reason ?? 'turn_end';
      // Some servers repeat the streamed sound with the end; it is played once.
      const sound = answer.sounded ? [] : soundEffects(modeState.turn, event.audio);
      const effects = [...sound, ...emitMetrics(event, undefined)];
      if (answer.speaks && sendsSoundLate(event)) {
        return transitionTo(
          { ...state, modeState: { ...modeState, answer: { ...answer, ended: { text, reason } } } },
          ...effects,
          startTimer('lateSound', lateSoundAtMostMs),
        );
      }
      return afterAnswer(state, modeState, [...effects, emit({ event: 'done', text, reason })]);
    }
  }
}

/** The time for the rest of the answer's sound is over, so the answer ends. */
export function handleChatSoundTimeout(state: LiveState, modeState: ChatState): Transition {
  if (modeState.answer?.ended === undefined) return transitionTo(state);
  return afterAnswer(state, modeState, pendingDone(modeState));
}

/** Emits the end of an answer that still waits for sound, also if the session closes first. */
export function pendingDone(modeState: LiveState['modeState']): readonly Effect[] {
  const ended = modeState.kind === 'chat' ? modeState.answer?.ended : undefined;
  return ended === undefined ? [] : [emit({ event: 'done', ...ended })];
}

/** Ends the turn after an error, so that its `done` follows. */
export function abandonAnswer(
  state: LiveState,
  modeState: ChatState,
  event: ServerErrorEvent,
): Transition {
  const { answer } = modeState;
  if (answer === undefined || isStale(event, modeState, state.context.idPrefix))
    return transitionTo(state);
  const done = emit({ event: 'done', text: answer.text, reason: event.code });
  const over = event.responseId ?? answer.responseId;
  const remembered: ChatState =
    over === undefined
      ? modeState
      : { ...modeState, givenUp: [...modeState.givenUp, over].slice(-maxGivenUp) };
  return afterAnswer(state, remembered, [done]);
}

function handleDelta(
  state: LiveState,
  modeState: ChatState,
  answer: PartialAnswer,
  event: OutputEvent,
): Transition {
  const { turn } = modeState;
  const delta = event.text ?? '';
  const sound = soundEffects(turn, event.audio);
  const next: PartialAnswer = {
    ...answer,
    responseId: event.responseId ?? answer.responseId,
    text: answer.text + delta,
    sounded: answer.sounded || sound.length > 0,
  };
  return transitionTo(
    { ...state, modeState: { ...modeState, answer: next } },
    ...(delta === '' ? [] : [emit({ event: 'text', turn, text: delta })]),
    ...sound,
    ...emitMetrics(event, undefined),
    ...(answer.ended !== undefined && sound.length > 0
      ? [startTimer('lateSound', lateSoundAtMostMs)]
      : []),
  );
}

function afterAnswer(
  state: LiveState,
  modeState: ChatState,
  effects: readonly Effect[],
): Transition {
  const next = sendNextQuestion({
    ...state,
    modeState: { ...modeState, turn: modeState.turn + 1, answer: undefined },
  });
  return prependEffects([...effects, { do: 'stopTimer', name: 'answer' }], next);
}

/** Whether sound may follow the end of the answer, as with the C++ server, which numbers its answers and echoes no id. */
function sendsSoundLate({ inputId, responseId }: CommonFields): boolean {
  return inputId === undefined && responseNumber(responseId) !== undefined;
}

/** Whether the event belongs to an abandoned turn, judged by our id or the server's. */
function isStale(
  { inputId, responseId }: CommonFields,
  { answer, givenUp }: ChatState,
  idPrefix: string,
): boolean {
  const ours = inputId?.startsWith(idPrefix) === true;
  if (ours) return inputId !== answer?.inputId;
  return responseId !== undefined && givenUp.includes(responseId);
}

function soundEffects(turn: number, audio: Float32Array | undefined): readonly Effect[] {
  return audio === undefined || audio.length === 0 ? [] : [emit({ event: 'audio', turn, audio })];
}
