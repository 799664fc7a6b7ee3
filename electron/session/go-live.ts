import type { Created } from '../../shared/protocol/server-event.ts';
import { askNext } from './chat-turns.ts';
import { enter, tell, to } from './effect.ts';
import type { Transition } from './effect.ts';
import { measured } from './measured.ts';
import type { Course, Live } from './state.ts';

export function goLive(course: Course, created: Created, at: number): Transition {
  const live: Live = {
    phase: 'live',
    course: { ...course, lastError: undefined },
    talk: course.mode === 'chat' ? firstChatTalk : firstDuplexTalk(at),
  };
  const { dialect } = course;
  const entered = enter(
    live,
    { do: 'forgetChunk' },
    tell({ event: 'session', id: created.sessionId ?? '', dialect }),
    { do: 'remember', dialect },
    ...measured(created, undefined),
  );
  const asked = askNext(live);
  return to(asked.state, ...entered.effects, ...asked.effects);
}

const firstChatTalk: Live['talk'] = { kind: 'chat', count: 0, turn: 1, answer: undefined };

function firstDuplexTalk(at: number): Live['talk'] {
  return {
    kind: 'duplex',
    watched: false,
    uplink: { count: 0, unanswered: [], waiting: [], echoes: false, answeredAt: at },
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
