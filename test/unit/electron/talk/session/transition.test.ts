import { describe, expect, it } from 'vitest';
import type {
  Effect,
  SessionContext,
  SessionInput,
  SessionState,
} from '../../../../../electron/talk/session/session-state.ts';
import { enterLive } from '../../../../../electron/talk/session/transition-connecting.ts';
import { transition } from '../../../../../electron/talk/session/transition.ts';
import { sessionError } from '../../../../../shared/errors/session-reasons.ts';
import * as say from './server-events.ts';

const context: SessionContext = {
  mode: 'audio',
  settings: {},
  forced: false,
  dialect: 'unified',
  remembered: undefined,
  configures: 1,
  voiceForm: undefined,
  refusals: [],
  handOvers: 0,
  idPrefix: 'p-',
  yielding: 'auto',
  paused: false,
  questions: [],
  takesTools: false,
  calls: new Map(),
};

const ending = { error: sessionError('r'), by: 'client', orderly: true } as const;

const states = {
  opening: { phase: 'connecting', stage: 'opening', context },
  opened: { phase: 'connecting', stage: 'opened', context },
  waiting: { phase: 'connecting', stage: 'backoff', context },
  queued: { phase: 'queued', context },
  configuring: { phase: 'configuring', context, since: 0 },
  live: enterLive(context, { kind: 'created' }, 0).state,
  chat: enterLive({ ...context, mode: 'chat' }, { kind: 'created' }, 0).state,
  goodbye: { phase: 'closing', stage: 'closeRequested', ending },
  hangingUp: { phase: 'closing', stage: 'disconnecting', ending },
  closed: { phase: 'closed' },
} satisfies Record<string, SessionState>;

const inputs = {
  opened: { kind: 'opened' },
  'server queued': { kind: 'server', event: say.queued(1) },
  'server admitted': { kind: 'server', event: say.admitted },
  'server created': { kind: 'server', event: say.created },
  'server listen': { kind: 'server', event: say.listen() },
  'server output': { kind: 'server', event: say.text('a') },
  'server done': { kind: 'server', event: { kind: 'done', text: 'a' } },
  'server closed': { kind: 'server', event: say.closed('timeout') },
  'server error, fatal': { kind: 'server', event: say.error('queue_full') },
  'server error, refusal': { kind: 'server', event: say.error('unknown_event') },
  'server error, other': { kind: 'server', event: say.error('odd') },
  'server unknown': { kind: 'server', event: { kind: 'unknown', type: 't', raw: {} } },
  'server malformed': { kind: 'server', event: { kind: 'malformed', problem: 'p' } },
  ended: { kind: 'ended', end: { kind: 'closed', code: 1006, reason: '' } },
  'timer impossible': { kind: 'timer', name: 'unsupported' },
  'timer opening': { kind: 'timer', name: 'opening' },
  'timer firstEvent': { kind: 'timer', name: 'firstEvent' },
  'timer retry': { kind: 'timer', name: 'retry' },
  'timer created': { kind: 'timer', name: 'created' },
  'timer answer': { kind: 'timer', name: 'answer' },
  'timer closeRequested': { kind: 'timer', name: 'closeRequested' },
  'timer disconnecting': { kind: 'timer', name: 'disconnecting' },
  chunk: {
    kind: 'command',
    command: { kind: 'chunk', audio: new Float32Array(16_000), urgent: false },
  },
  see: { kind: 'command', command: { kind: 'frame', frame: new Uint8Array(1) } },
  slices: { kind: 'command', command: { kind: 'maxSlices', slices: 1 } },
  ask: { kind: 'command', command: { kind: 'question', question: { messages: [] } } },
  interrupt: { kind: 'command', command: { kind: 'interrupt' } },
  pause: { kind: 'command', command: { kind: 'pause' } },
  resume: { kind: 'command', command: { kind: 'resume' } },
  end: { kind: 'end' },
} as const satisfies Record<string, WithoutTime<SessionInput>>;

type WithoutTime<Event> = Event extends unknown ? Omit<Event, 'at'> : never;

function describeEffect(effect: Effect): string {
  if (effect.do === 'send') return `send ${effect.message.kind} ${effect.dialect}`;
  if (effect.do === 'timer' || effect.do === 'stopTimer') return `${effect.do} ${effect.name}`;
  if (effect.do === 'emit') return `emit ${effect.event.event}`;
  return effect.do;
}

function whereTo(state: SessionState): string {
  return 'stage' in state ? `${state.phase} (${state.stage})` : state.phase;
}

/** The table of a state: each input that changes the state or has effects. */
function tableOf(state: SessionState): Readonly<Record<string, string>> {
  const rows = Object.entries(inputs).flatMap(([name, happening]) => {
    const { state: next, effects } = transition(state, { ...happening, at: 10 });
    const done = effects.map(describeEffect);
    if (done.length === 0 && whereTo(next) === whereTo(state)) return [];
    return [[name, [whereTo(next), ...done].join(' · ')] as const];
  });
  return Object.fromEntries(rows);
}
const hangsUp =
  'closing (disconnecting) · stopTimers · emit state · disconnect · timer disconnecting';
const failsAndHangsUp =
  'closing (disconnecting) · emit error · stopTimers · emit state · disconnect · timer disconnecting';
const finishes = 'closed · stopTimers · emit state · terminate · emit closed';

describe('the transition table of', () => {
  it('opening', () => {
    expect(tableOf(states.opening)).toEqual({
      opened: 'connecting (opened) · stopTimer opening · timer firstEvent',
      ended: finishes,
      'timer opening': finishes,
      end: finishes,
    });
  });

  it('opened', () => {
    expect(tableOf(states.opened)).toEqual({
      'server queued': 'queued · stopTimers · emit state · emit queue',
      'server admitted':
        'configuring · stopTimers · emit state · send configure unified · timer created',
      'server closed': hangsUp,
      'server error, fatal': failsAndHangsUp,
      'server error, refusal': 'connecting (opened) · emit error',
      'server error, other': 'connecting (opened) · emit error',
      'server unknown': 'connecting (opened) · emit unknown',
      'server malformed': 'connecting (opened) · emit error',
      ended: finishes,
      'timer firstEvent': hangsUp,
      end: hangsUp,
    });
  });

  it('waiting', () => {
    expect(tableOf(states.waiting)).toEqual({
      'timer retry': 'connecting (opening) · connect · timer opening',
      end: finishes,
    });
  });

  it('queued', () => {
    expect(tableOf(states.queued)).toEqual({
      'server queued': 'queued · emit queue',
      'server admitted':
        'configuring · stopTimers · emit state · send configure unified · timer created',
      'server closed': hangsUp,
      'server error, fatal': failsAndHangsUp,
      'server error, refusal': 'queued · emit error',
      'server error, other': 'queued · emit error',
      'server unknown': 'queued · emit unknown',
      'server malformed': 'queued · emit error',
      ended: finishes,
      end: hangsUp,
    });
  });

  it('configuring', () => {
    expect(tableOf(states.configuring)).toEqual({
      'server created':
        'live · stopTimers · emit state · discardChunk · emit session · rememberDialect',
      'server closed': hangsUp,
      'server error, fatal': failsAndHangsUp,
      'server error, refusal': 'configuring · send configure legacy · timer created',
      'server error, other': 'configuring · emit error',
      'server unknown': 'configuring · emit unknown',
      'server malformed': 'configuring · emit error',
      ended: finishes,
      'timer created':
        'connecting (opening) · stopTimers · emit state · terminate · connect · timer opening',
      end: hangsUp,
    });
  });

  it('live', () => {
    expect(tableOf(states.live)).toEqual({
      'server listen': 'live · emit listen',
      'server output': 'live · emit text',
      'server closed': hangsUp,
      'server error, fatal': failsAndHangsUp,
      'server error, refusal': 'live · emit error',
      'server error, other': 'live · emit error',
      'server unknown': 'live · emit unknown',
      'server malformed': 'live · emit error',
      ended: finishes,
      'timer answer': hangsUp,
      chunk: 'live · send append unified · emit sent · timer answer',
      ask: 'live · emit error',
      interrupt: 'live · flushChunk',
      pause: 'live · stopTimer answer · discardChunk',
      end: 'closing (closeRequested) · stopTimers · emit state · send close unified · timer closeRequested',
    });
  });

  it('chat', () => {
    expect(tableOf(states.chat)).toEqual({
      'server closed': hangsUp,
      'server error, fatal': failsAndHangsUp,
      'server error, refusal': 'live · emit error',
      'server error, other': 'live · emit error',
      'server unknown': 'live · emit unknown',
      'server malformed': 'live · emit error',
      ended: finishes,
      'timer answer': hangsUp,
      ask: 'live · send chat unified · timer answer',
      end: 'closing (closeRequested) · stopTimers · emit state · send close unified · timer closeRequested',
    });
  });

  it('goodbye', () => {
    expect(tableOf(states.goodbye)).toEqual({
      'server closed':
        'closing (disconnecting) · stopTimer closeRequested · disconnect · timer disconnecting',
      'server unknown': 'closing (closeRequested) · emit unknown',
      ended: finishes,
      'timer closeRequested':
        'closing (disconnecting) · stopTimer closeRequested · disconnect · timer disconnecting',
    });
  });

  it('hangingUp', () => {
    expect(tableOf(states.hangingUp)).toEqual({
      'server unknown': 'closing (disconnecting) · emit unknown',
      ended: finishes,
      'timer disconnecting': finishes,
    });
  });

  it('closed', () => {
    expect(tableOf(states.closed)).toEqual({});
  });

  it('a paused session, which accepts no chunk, not even one cut earlier', () => {
    const paused = enterLive({ ...context, paused: true }, { kind: 'created' }, 0).state;
    const command = { kind: 'chunk', audio: new Float32Array(4000), urgent: true } as const;
    expect(transition(paused, { kind: 'command', command, at: 1 })).toEqual({
      state: paused,
      effects: [],
    });
  });
});
