import { askNext, giveUpAnswer, hearAnswer } from './chat-turns.ts';
import { answeredByError, hearStep, interrupt, pause, takeChunk } from './duplex.ts';
import { tell, to } from './effect.ts';
import type { Transition } from './effect.ts';
import { closedByServer, failure } from './endings.ts';
import type { Happening, Wish } from './happening.ts';
import { finish, hangUp, sayGoodbye } from './leaving.ts';
import { endedByLine } from './line-endings.ts';
import { tellOdd, tellRepairs } from './odd-frames.ts';
import { endFatally, goOnAfter, isFatal } from './server-errors.ts';
import type { Live } from './state.ts';
import { keepWatch } from './watch.ts';
import { keepWish } from './wishes.ts';

export function inLive(state: Live, event: Happening): Transition {
  const { course } = state;
  switch (event.kind) {
    case 'server':
      return keepWatch(hearWhole(state, event), event.event);
    case 'ended':
      return finish(endedByLine(event.end, course, event.at));
    case 'timer':
      return event.name === 'answer'
        ? hangUp(
            failure(
              'stalled',
              'The server has stopped answering. Start again, perhaps on another server.',
            ),
          )
        : to(state);
    case 'end':
      return sayGoodbye(course);
    case 'opened':
      return to(state);
    case 'chunk':
    case 'see':
    case 'slices':
    case 'ask':
    case 'interrupt':
    case 'pause':
    case 'resume':
      return follow(state, event);
  }
}

function hearWhole(state: Live, heard: Extract<Happening, { kind: 'server' }>): Transition {
  const { event } = heard;
  const repairs = event.kind === 'output' || event.kind === 'done' ? tellRepairs(event) : [];
  const { state: next, effects } = hear(state, heard);
  return to(next, ...repairs, ...effects);
}

function hear(state: Live, { event, at }: Extract<Happening, { kind: 'server' }>): Transition {
  switch (event.kind) {
    case 'output':
    case 'listen':
      return state.talk.kind === 'chat'
        ? hearAnswer(state, state.talk, event)
        : hearStep(state, state.talk, event, at);
    case 'done':
      return state.talk.kind === 'chat' ? hearAnswer(state, state.talk, event) : to(state);
    case 'closed':
      return hangUp(closedByServer(event.reason, event.diagnostic, state.course.mode));
    case 'error': {
      if (isFatal(event)) return endFatally(event);
      const { state: next, effects } = goOnAfter(state, event, at);
      if (next.phase !== 'live') return to(next, ...effects);
      const then =
        next.talk.kind === 'chat'
          ? giveUpAnswer(next, next.talk, event)
          : answeredByError(next, next.talk, event.inputId, at);
      return to(then.state, ...effects, ...then.effects);
    }
    case 'malformed': {
      if (state.talk.kind === 'chat') return to(state, tellOdd(event));
      const then = answeredByError(state, state.talk, undefined, at);
      return to(then.state, tellOdd(event), ...then.effects);
    }
    case 'unknown':
      return to(state, tellOdd(event));
    case 'queued':
    case 'admitted':
    case 'created':
      return to(state);
  }
}

function follow(before: Live, wish: Wish): Transition {
  const state: Live = { ...before, course: keepWish(before.course, wish) };
  const { talk } = state;
  switch (wish.kind) {
    case 'chunk':
      return talk.kind === 'duplex' ? takeChunk(state, talk, wish) : to(state);
    case 'interrupt':
      return talk.kind === 'duplex' ? interrupt(state, talk, wish.at) : to(state);
    case 'pause':
      return talk.kind === 'duplex' ? pause(state, talk) : to(state);
    case 'ask':
      return talk.kind === 'chat'
        ? askNext(state)
        : to(
            before,
            tell({
              event: 'error',
              code: 'not_chat',
              message: 'This session is spoken. To write, open one in chat mode.',
              fatal: false,
            }),
          );
    case 'resume':
      return askNext(state);
    case 'see':
    case 'slices':
      return to(state);
  }
}
