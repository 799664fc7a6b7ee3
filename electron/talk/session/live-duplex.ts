import {
  type AppendEvent,
  inputRate,
  type DoneEvent,
  type ListenEvent,
  type OutputEvent,
} from '../../../shared/protocol/realtime-api.ts';
import {
  type DuplexState,
  type Effect,
  emit,
  emitMetrics,
  type LiveState,
  prependEffects,
  type SessionCommand,
  startTimer,
  type Transition,
  transitionTo,
  type UplinkState,
} from './session-state.ts';
import {
  applyListen,
  applyOutput,
  beginsStep,
  endAwaitingTurn,
  updateStep,
} from './model-turns.ts';
import { stallTimeoutMs } from './session-timing.ts';
import {
  dropLostAppends,
  enqueueChunk,
  numberedAppend,
  roomForAppends,
  settleAppend,
  settleNumbered,
} from './uplink-queue.ts';

export function handleChunk(
  state: LiveState,
  modeState: DuplexState,
  { audio, urgent }: Extract<SessionCommand, { kind: 'chunk' }>,
  at: number,
): Transition {
  if (state.context.paused) return transitionTo(state);
  const { uplink, dropped } = enqueueChunk(dropLostAppends(modeState.uplink, at), { audio, at });
  const turns = hasVoiceActivity(audio) ? { ...modeState.turns, voicedAt: at } : modeState.turns;
  const sent = sendWaiting(state, { ...modeState, uplink, turns }, at, urgent);
  if (dropped === 0) return sent;
  return prependEffects([emit({ event: 'dropped', samples: dropped, reason: 'slow' })], sent);
}

export function handleStep(
  state: LiveState,
  modeState: DuplexState,
  event: OutputEvent | ListenEvent,
  at: number,
): Transition {
  const { idPrefix, yielding } = state.context;
  const uplink: UplinkState = { ...modeState.uplink, outputs: modeState.uplink.outputs + 1 };
  if (event.kind === 'output' && isLateSound(uplink, event))
    return handleLateSound(state, { ...modeState, uplink }, event, at);
  const numbered = numberedAppend(uplink, modeState.step, event);
  const fresh =
    numbered === undefined
      ? beginsStep(modeState.step, event, at, modeState.uplink.unanswered.length)
      : numbered.append !== modeState.step?.append;
  const answer =
    numbered === undefined
      ? settleAppend(uplink, event.inputId, idPrefix, fresh, at)
      : settleNumbered(uplink, numbered, at);
  const updated = updateStep(modeState.step, event, at, fresh, answer.settled?.forced);
  const step = numbered === undefined ? updated : { ...updated, append: numbered.append };
  const { turns, effects } =
    event.kind === 'output'
      ? applyOutput(modeState.turns, event, at)
      : applyListen(
          modeState.turns,
          event,
          fresh ? undefined : modeState.step,
          step.forced,
          at,
          yielding,
          numbered !== undefined,
        );
  const roundTripMs = answer.settled === undefined ? undefined : at - answer.settled.at;
  const next: DuplexState = { ...modeState, uplink: answer.uplink, step, turns };
  return prependEffects(
    [...effects, ...emitMetrics(event, roundTripMs)],
    sendWaiting(state, next, at, false),
  );
}

/**
 * Whether the event is late sound: a server that numbers its steps may send sound even after a step in which the model
 * listens. Such sound does not answer an append.
 */
function isLateSound(uplink: UplinkState, { inputId, text = '' }: OutputEvent): boolean {
  return uplink.firstNumber !== undefined && !uplink.echoes && inputId === undefined && text === '';
}

function handleLateSound(
  state: LiveState,
  modeState: DuplexState,
  event: OutputEvent,
  at: number,
): Transition {
  // The rest of an answer that was cut; the next answer begins with text.
  const isRestOfCut = modeState.turns.previousTurnWasCut === true && !modeState.turns.open;
  const { turns, effects } = isRestOfCut
    ? { turns: modeState.turns, effects: [] }
    : applyOutput(modeState.turns, event, at);
  const next: LiveState = { ...state, modeState: { ...modeState, turns } };
  return transitionTo(next, ...effects, ...emitMetrics(event, undefined));
}

export function handleLateSoundTimeout(state: LiveState, modeState: DuplexState): Transition {
  const { turns, effects } = endAwaitingTurn(modeState.turns);
  return transitionTo({ ...state, modeState: { ...modeState, turns } }, ...effects);
}

/** In duplex `response.done` ends a step, not a turn; it may be the step's only event. */
export function handleStepDone(
  state: LiveState,
  modeState: DuplexState,
  event: DoneEvent,
  at: number,
): Transition {
  const numbered = numberedAppend(modeState.uplink, modeState.step, event);
  if (numbered === undefined) return transitionTo(state);
  const { uplink } = settleNumbered(modeState.uplink, numbered, at);
  return sendWaiting(state, { ...modeState, uplink }, at, false);
}

/** An error or malformed event also answers an append, and its step brings no output. */
export function handleStepError(
  state: LiveState,
  modeState: DuplexState,
  inputId: string | undefined,
  at: number,
): Transition {
  const { uplink } = settleAppend(modeState.uplink, inputId, state.context.idPrefix, true, at);
  return sendWaiting(state, { ...modeState, uplink, step: undefined }, at, false);
}

/** Sends force-listen at once, even beyond the cap of unanswered appends, and with each append until the model listens. */
export function handleInterrupt(state: LiveState, modeState: DuplexState, at: number): Transition {
  const turns = { ...modeState.turns, interrupting: true, interruptedAt: at };
  const next: DuplexState = { ...modeState, turns };
  const isForceListenPending =
    modeState.turns.interrupting && modeState.uplink.unanswered.some(({ forced }) => forced);
  if (state.context.paused || isForceListenPending)
    return transitionTo({ ...state, modeState: next });
  if (modeState.uplink.waiting.length > 0) return sendWaiting(state, next, at, true);
  return transitionTo({ ...state, modeState: next }, { do: 'flushChunk' });
}

/** Drops unsent sound; the uplink of a talk has kept it, and passes it again when the session resumes. */
export function handlePause(state: LiveState, modeState: DuplexState): Transition {
  const samples = modeState.uplink.waiting.reduce((sum, { audio }) => sum + audio.length, 0);
  const uplink: UplinkState = { ...modeState.uplink, waiting: [] };
  return transitionTo(
    { ...state, modeState: { ...modeState, uplink, watchdogRunning: false } },
    { do: 'stopTimer', name: 'answer' },
    { do: 'discardChunk' },
    ...(samples === 0 ? [] : [emit({ event: 'dropped', samples, reason: 'paused' })]),
  );
}

/** Sends waiting chunks, oldest first, up to the cap; `urgent` lets one exceed it. */
function sendWaiting(
  state: LiveState,
  modeState: DuplexState,
  at: number,
  urgent: boolean,
): Transition {
  const { uplink } = modeState;
  const room = Math.max(urgent ? 1 : 0, roomForAppends(uplink, at));
  const chunks = state.context.paused ? [] : uplink.waiting.slice(0, room);
  if (chunks.length === 0) return transitionTo({ ...state, modeState });
  const { mode, idPrefix, dialect, maxSlices } = state.context;
  const forced = modeState.turns.interrupting;
  const frame = mode === 'video' ? state.context.frame : undefined;
  // In the legacy dialect an append without a frame has undefined behaviour, so the newest frame is
  // repeated.
  const repeats = dialect === 'legacy';
  const appends = chunks.map(({ audio }, index): AppendEvent & { readonly inputId: string } => ({
    kind: 'append',
    inputId: `${idPrefix}${uplink.count + index + 1}`,
    audio,
    frames: frame !== undefined && (index === 0 || repeats) ? [frame] : undefined,
    forceListen: forced ? true : undefined,
    maxSlices: mode === 'video' ? maxSlices : undefined,
  }));
  const next: LiveState = {
    ...state,
    context: { ...state.context, frame: repeats ? frame : undefined },
    modeState: {
      ...modeState,
      watchdogRunning: true,
      uplink: {
        ...uplink,
        count: uplink.count + chunks.length,
        waiting: uplink.waiting.slice(chunks.length),
        unanswered: [
          ...uplink.unanswered,
          ...appends.map(({ inputId }) => ({ inputId, at, forced })),
        ],
      },
    },
  };
  const watch: readonly Effect[] = modeState.watchdogRunning
    ? []
    : [startTimer('answer', stallTimeoutMs)];
  return transitionTo(
    next,
    ...appends.flatMap((append, index) =>
      sendEffects(append, dialect, at - (chunks[index]?.at ?? at)),
    ),
    ...watch,
  );
}

function sendEffects(
  ask: AppendEvent & { readonly inputId: string },
  dialect: LiveState['context']['dialect'],
  waitedMs: number,
): readonly Effect[] {
  return [
    { do: 'send', message: ask, dialect },
    emit({
      event: 'sent',
      inputId: ask.inputId,
      samples: ask.audio.length,
      frames: ask.frames?.length ?? 0,
      forceListen: ask.forceListen ?? false,
      ...(waitedMs > 0 && { waitedMs }),
    }),
  ];
}

/** Speech at a headset or table microphone is well above this level, a quiet room well below. */
const voiceRms = 0.02;
/** Length of a window: 50 ms. */
const windowSamples = inputRate / 20;
/** Clicks and knocks are shorter. */
const minVoicedWindows = 4;

/** Whether the chunk contains speech, judged by its level in windows of 50 ms. */
function hasVoiceActivity(chunk: Float32Array): boolean {
  let voicedWindows = 0;
  for (let from = 0; from + windowSamples <= chunk.length; from += windowSamples) {
    let energy = 0;
    for (let at = from; at < from + windowSamples; at += 1) energy += (chunk[at] ?? 0) ** 2;
    if (energy / windowSamples >= voiceRms ** 2) voicedWindows += 1;
    if (voicedWindows >= minVoicedWindows) return true;
  }
  return false;
}
