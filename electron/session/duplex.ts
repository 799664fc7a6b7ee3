import type { Append } from '../../shared/protocol/client-ask.ts';
import type { Listen, Output } from '../../shared/protocol/server-event.ts';
import { tell, timer, to } from './effect.ts';
import type { Effect, Transition } from './effect.ts';
import type { Wish } from './happening.ts';
import { measured } from './measured.ts';
import type { DuplexTalk, Live, Uplink } from './state.ts';
import { beginsStep, stepAfter } from './steps.ts';
import { mostUnanswered, stalledAfterMs } from './timings.ts';
import { listen, speak } from './turns.ts';
import { enqueue, forgetLost, settle } from './uplink.ts';
import { isVoiced } from './voice.ts';

/** The microphone has another chunk. */
export function takeChunk(
  state: Live,
  talk: DuplexTalk,
  { audio, urgent, at }: Extract<Wish, { kind: 'chunk' }>,
): Transition {
  if (state.course.paused) return to(state);
  const { uplink, dropped } = enqueue(forgetLost(talk.uplink, at), { audio, at });
  const turns = isVoiced(audio) ? { ...talk.turns, voicedAt: at } : talk.turns;
  const sent = sendWaiting(state, { ...talk, uplink, turns }, at, urgent);
  const lost: readonly Effect[] =
    dropped === 0 ? [] : [tell({ event: 'dropped', samples: dropped })];
  return to(sent.state, ...lost, ...sent.effects);
}

/** An output or a listen: one event of one step. */
export function hearStep(
  state: Live,
  talk: DuplexTalk,
  event: Output | Listen,
  at: number,
): Transition {
  const { idPrefix, yielding } = state.course;
  const fresh = beginsStep(talk.step, event, at, talk.uplink.unanswered.length);
  const answer = settle(talk.uplink, event.inputId, idPrefix, fresh, at);
  const step = stepAfter(talk.step, event, at, fresh, answer.settled?.forced);
  const { turns, effects } =
    event.kind === 'output'
      ? speak(talk.turns, event, at)
      : listen(talk.turns, event, fresh ? undefined : talk.step, step.forced, at, yielding);
  const roundTripMs = answer.settled === undefined ? undefined : at - answer.settled.at;
  const next: DuplexTalk = { ...talk, uplink: answer.uplink, step, turns };
  const sent = sendWaiting(state, next, at, false);
  return to(sent.state, ...effects, ...measured(event, roundTripMs), ...sent.effects);
}

/** An error, or what cannot be read, is the answer to an append, too: nothing of use comes of that step. */
export function answeredByError(
  state: Live,
  talk: DuplexTalk,
  inputId: string | undefined,
  at: number,
): Transition {
  const { uplink } = settle(talk.uplink, inputId, state.course.idPrefix, true, at);
  return sendWaiting(state, { ...talk, uplink, step: undefined }, at, false);
}

/** Force-listen goes out at once, over the cap if need be, and again with each append until the model listens. */
export function interrupt(state: Live, talk: DuplexTalk, at: number): Transition {
  const turns = { ...talk.turns, interrupting: true, interruptedAt: at };
  const next: DuplexTalk = { ...talk, turns };
  const onItsWay = talk.turns.interrupting && talk.uplink.unanswered.some(({ forced }) => forced);
  if (state.course.paused || onItsWay) return to({ ...state, talk: next });
  if (talk.uplink.waiting.length > 0) return sendWaiting(state, next, at, true);
  return to({ ...state, talk: next }, { do: 'cutChunk' });
}

/** What was heard and not sent yet will be stale when the session goes on. */
export function pause(state: Live, talk: DuplexTalk): Transition {
  const samples = talk.uplink.waiting.reduce((sum, { audio }) => sum + audio.length, 0);
  const uplink: Uplink = { ...talk.uplink, waiting: [] };
  return to(
    { ...state, talk: { ...talk, uplink, watched: false } },
    { do: 'stopTimer', name: 'answer' },
    { do: 'forgetChunk' },
    ...(samples === 0 ? [] : [tell({ event: 'dropped', samples })]),
  );
}

/** Sends what waits, oldest first, as far as the cap allows; `urgent` lets one pass over it. */
function sendWaiting(state: Live, talk: DuplexTalk, at: number, urgent: boolean): Transition {
  const { uplink } = talk;
  const room = Math.max(urgent ? 1 : 0, mostUnanswered - uplink.unanswered.length);
  const chunks = state.course.paused ? [] : uplink.waiting.slice(0, room);
  if (chunks.length === 0) return to({ ...state, talk });
  const { mode, idPrefix, dialect, maxSlices } = state.course;
  const forced = talk.turns.interrupting;
  const asks = chunks.map(({ audio }, index): Append & { readonly inputId: string } => ({
    kind: 'append',
    inputId: `${idPrefix}${uplink.count + index + 1}`,
    audio,
    frames:
      index === 0 && mode === 'video' && state.course.frame ? [state.course.frame] : undefined,
    forceListen: forced ? true : undefined,
    maxSlices: mode === 'video' ? maxSlices : undefined,
  }));
  const next: Live = {
    ...state,
    course: { ...state.course, frame: undefined },
    talk: {
      ...talk,
      watched: true,
      uplink: {
        ...uplink,
        count: uplink.count + chunks.length,
        waiting: uplink.waiting.slice(chunks.length),
        unanswered: [...uplink.unanswered, ...asks.map(({ inputId }) => ({ inputId, at, forced }))],
      },
    },
  };
  const watch: readonly Effect[] = talk.watched ? [] : [timer('answer', stalledAfterMs)];
  return to(
    next,
    ...asks.flatMap((ask, index) => sending(ask, dialect, at - (chunks[index]?.at ?? at))),
    ...watch,
  );
}

function sending(
  ask: Append & { readonly inputId: string },
  dialect: Live['course']['dialect'],
  waitedMs: number,
): readonly Effect[] {
  return [
    { do: 'send', ask, dialect },
    tell({
      event: 'sent',
      inputId: ask.inputId,
      samples: ask.audio.length,
      frames: ask.frames?.length ?? 0,
      forceListen: ask.forceListen ?? false,
      ...(waitedMs > 0 && { waitedMs }),
    }),
  ];
}
