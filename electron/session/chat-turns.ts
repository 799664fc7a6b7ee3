import type { Done, Listen, Output, ServerError } from '../../shared/protocol/server-event.ts';
import { tell, timer, to } from './effect.ts';
import type { Effect, Transition } from './effect.ts';
import { measured } from './measured.ts';
import type { Answer, ChatTalk, Live } from './state.ts';
import { chatStalledAfterMs } from './timings.ts';

/** Sends the oldest question when nothing is being answered. */
export function askNext(state: Live): Transition {
  const { course, talk } = state;
  const [question, ...questions] = course.questions;
  if (talk.kind !== 'chat' || talk.answer !== undefined || course.paused || question === undefined)
    return to(state);
  const inputId = `${course.idPrefix}${talk.count + 1}`;
  return to(
    {
      ...state,
      course: { ...course, questions },
      talk: { ...talk, count: talk.count + 1, answer: { inputId, text: '', sounded: false } },
    },
    { do: 'send', ask: { ...question, kind: 'chat', inputId }, dialect: course.dialect },
    timer('answer', chatStalledAfterMs),
  );
}

/** A piece of an answer, or its end; what belongs to no open turn is too late to be of use. */
export function hearAnswer(state: Live, talk: ChatTalk, event: Output | Listen | Done): Transition {
  const { answer } = talk;
  if (answer === undefined || isStale(event.inputId, answer, state.course.idPrefix))
    return to(state, ...measured(event, undefined));
  switch (event.kind) {
    case 'listen':
      return to(state, ...measured(event, undefined));
    case 'output':
      return hearPiece(state, talk, answer, event);
    case 'done': {
      const text = event.text === '' ? answer.text : event.text;
      // Some servers send the streamed sound once more with the end: it is played once.
      const sound = answer.sounded ? [] : soundOf(talk.turn, event.audio);
      const done = tell({ event: 'done', text, reason: event.reason ?? 'turn_end' });
      return afterAnswer(state, talk, [...sound, done, ...measured(event, undefined)]);
    }
  }
}

/** After an error nothing more comes of the turn, and whoever waits for its end must hear of it. */
export function giveUpAnswer(
  state: Live,
  talk: ChatTalk,
  { code, inputId }: ServerError,
): Transition {
  const { answer } = talk;
  if (answer === undefined || isStale(inputId, answer, state.course.idPrefix)) return to(state);
  return afterAnswer(state, talk, [tell({ event: 'done', text: answer.text, reason: code })]);
}

function hearPiece(state: Live, talk: ChatTalk, answer: Answer, event: Output): Transition {
  const { turn } = talk;
  const piece = event.text ?? '';
  const sound = soundOf(turn, event.audio);
  const next: Answer = {
    ...answer,
    text: answer.text + piece,
    sounded: answer.sounded || sound.length > 0,
  };
  return to(
    { ...state, talk: { ...talk, answer: next } },
    ...(piece === '' ? [] : [tell({ event: 'text', turn, text: piece })]),
    ...sound,
    ...measured(event, undefined),
  );
}

function afterAnswer(state: Live, talk: ChatTalk, effects: readonly Effect[]): Transition {
  const next = askNext({ ...state, talk: { ...talk, turn: talk.turn + 1, answer: undefined } });
  return to(next.state, ...effects, { do: 'stopTimer', name: 'answer' }, ...next.effects);
}

/** Ours, but of another turn: the rest of one that was given up. */
function isStale(inputId: string | undefined, answer: Answer, idPrefix: string): boolean {
  return inputId !== undefined && inputId.startsWith(idPrefix) && inputId !== answer.inputId;
}

function soundOf(turn: number, audio: Float32Array | undefined): readonly Effect[] {
  return audio === undefined || audio.length === 0 ? [] : [tell({ event: 'audio', turn, audio })];
}
