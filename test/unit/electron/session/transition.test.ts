import { describe, expect, it } from 'vitest';
import type { Effect } from '../../../../electron/session/effect.ts';
import { goLive } from '../../../../electron/session/go-live.ts';
import type { Happening } from '../../../../electron/session/happening.ts';
import type { Course, SessionState } from '../../../../electron/session/state.ts';
import { transition } from '../../../../electron/session/transition.ts';
import * as say from './events.ts';

const course: Course = {
  mode: 'audio',
  settings: {},
  forced: false,
  dialect: 'unified',
  configures: 1,
  refusals: [],
  handovers: 0,
  idPrefix: 'p-',
  yielding: 'auto',
  paused: false,
  questions: [],
};

const ending = { reason: 'r', by: 'client', message: 'm', orderly: true } as const;

const states = {
  opening: { phase: 'connecting', stage: 'opening', course },
  opened: { phase: 'connecting', stage: 'opened', course },
  waiting: { phase: 'connecting', stage: 'waiting', course },
  queued: { phase: 'queued', course },
  configuring: { phase: 'configuring', course, since: 0 },
  live: goLive(course, { kind: 'created' }, 0).state,
  chat: goLive({ ...course, mode: 'chat' }, { kind: 'created' }, 0).state,
  goodbye: { phase: 'closing', stage: 'goodbye', ending },
  hangingUp: { phase: 'closing', stage: 'hangingUp', ending },
  closed: { phase: 'closed' },
} satisfies Record<string, SessionState>;

const happenings = {
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
  'timer impossible': { kind: 'timer', name: 'impossible' },
  'timer opening': { kind: 'timer', name: 'opening' },
  'timer firstWord': { kind: 'timer', name: 'firstWord' },
  'timer retry': { kind: 'timer', name: 'retry' },
  'timer created': { kind: 'timer', name: 'created' },
  'timer answer': { kind: 'timer', name: 'answer' },
  'timer goodbye': { kind: 'timer', name: 'goodbye' },
  'timer hangUp': { kind: 'timer', name: 'hangUp' },
  chunk: { kind: 'chunk', audio: new Float32Array(16_000), urgent: false },
  see: { kind: 'see', frame: new Uint8Array(1) },
  slices: { kind: 'slices', slices: 1 },
  ask: { kind: 'ask', question: { messages: [] } },
  interrupt: { kind: 'interrupt' },
  pause: { kind: 'pause' },
  resume: { kind: 'resume' },
  end: { kind: 'end' },
} as const satisfies Record<string, WithoutTime<Happening>>;

type WithoutTime<Event> = Event extends unknown ? Omit<Event, 'at'> : never;

function describeEffect(effect: Effect): string {
  if (effect.do === 'send') return `send ${effect.ask.kind} ${effect.dialect}`;
  if (effect.do === 'timer' || effect.do === 'stopTimer') return `${effect.do} ${effect.name}`;
  if (effect.do === 'tell') return `tell ${effect.event.event}`;
  return effect.do;
}

function whereTo(state: SessionState): string {
  return 'stage' in state ? `${state.phase} (${state.stage})` : state.phase;
}

/** What happens in a state, but for what leaves it as it is and does nothing. */
function tableOf(state: SessionState): Readonly<Record<string, string>> {
  const rows = Object.entries(happenings).flatMap(([name, happening]) => {
    const { state: next, effects } = transition(state, { ...happening, at: 10 });
    const done = effects.map(describeEffect);
    if (done.length === 0 && whereTo(next) === whereTo(state)) return [];
    return [[name, [whereTo(next), ...done].join(' · ')] as const];
  });
  return Object.fromEntries(rows);
}
const hangsUp = 'closing (hangingUp) · stopTimers · tell state · disconnect · timer hangUp';
const failsAndHangsUp =
  'closing (hangingUp) · tell error · stopTimers · tell state · disconnect · timer hangUp';
const finishes = 'closed · stopTimers · tell state · terminate · tell closed';

describe('the table', () => {
  it('of opening', () => {
    expect(tableOf(states.opening)).toEqual({
      opened: 'connecting (opened) · stopTimer opening · timer firstWord',
      ended: finishes,
      'timer opening': finishes,
      end: finishes,
    });
  });

  it('of opened', () => {
    expect(tableOf(states.opened)).toEqual({
      'server queued': 'queued · stopTimers · tell state · tell queue',
      'server admitted':
        'configuring · stopTimers · tell state · send configure unified · timer created',
      'server closed': hangsUp,
      'server error, fatal': failsAndHangsUp,
      'server error, refusal': 'connecting (opened) · tell error',
      'server error, other': 'connecting (opened) · tell error',
      'server unknown': 'connecting (opened) · tell unknown',
      'server malformed': 'connecting (opened) · tell error',
      ended: finishes,
      'timer firstWord': hangsUp,
      end: hangsUp,
    });
  });

  it('of waiting', () => {
    expect(tableOf(states.waiting)).toEqual({
      'timer retry': 'connecting (opening) · connect · timer opening',
      end: finishes,
    });
  });

  it('of queued', () => {
    expect(tableOf(states.queued)).toEqual({
      'server queued': 'queued · tell queue',
      'server admitted':
        'configuring · stopTimers · tell state · send configure unified · timer created',
      'server closed': hangsUp,
      'server error, fatal': failsAndHangsUp,
      'server error, refusal': 'queued · tell error',
      'server error, other': 'queued · tell error',
      'server unknown': 'queued · tell unknown',
      'server malformed': 'queued · tell error',
      ended: finishes,
      end: hangsUp,
    });
  });

  it('of configuring', () => {
    expect(tableOf(states.configuring)).toEqual({
      'server created': 'live · stopTimers · tell state · forgetChunk · tell session · remember',
      'server closed': hangsUp,
      'server error, fatal': failsAndHangsUp,
      'server error, refusal': 'configuring · send configure legacy · timer created',
      'server error, other': 'configuring · tell error',
      'server unknown': 'configuring · tell unknown',
      'server malformed': 'configuring · tell error',
      ended: finishes,
      'timer created':
        'connecting (opening) · stopTimers · tell state · terminate · connect · timer opening',
      end: hangsUp,
    });
  });

  it('of live', () => {
    expect(tableOf(states.live)).toEqual({
      'server listen': 'live · tell listen',
      'server output': 'live · tell text',
      'server closed': hangsUp,
      'server error, fatal': failsAndHangsUp,
      'server error, refusal': 'live · tell error',
      'server error, other': 'live · tell error',
      'server unknown': 'live · tell unknown',
      'server malformed': 'live · tell error',
      ended: finishes,
      'timer answer': hangsUp,
      chunk: 'live · send append unified · tell sent · timer answer',
      ask: 'live · tell error',
      interrupt: 'live · cutChunk',
      pause: 'live · stopTimer answer · forgetChunk',
      end: 'closing (goodbye) · stopTimers · tell state · send close unified · timer goodbye',
    });
  });

  it('of chat', () => {
    expect(tableOf(states.chat)).toEqual({
      'server closed': hangsUp,
      'server error, fatal': failsAndHangsUp,
      'server error, refusal': 'live · tell error',
      'server error, other': 'live · tell error',
      'server unknown': 'live · tell unknown',
      'server malformed': 'live · tell error',
      ended: finishes,
      'timer answer': hangsUp,
      ask: 'live · send chat unified · timer answer',
      end: 'closing (goodbye) · stopTimers · tell state · send close unified · timer goodbye',
    });
  });

  it('of goodbye', () => {
    expect(tableOf(states.goodbye)).toEqual({
      'server closed': 'closing (hangingUp) · stopTimer goodbye · disconnect · timer hangUp',
      'server unknown': 'closing (goodbye) · tell unknown',
      ended: finishes,
      'timer goodbye': 'closing (hangingUp) · stopTimer goodbye · disconnect · timer hangUp',
    });
  });

  it('of hangingUp', () => {
    expect(tableOf(states.hangingUp)).toEqual({
      'server unknown': 'closing (hangingUp) · tell unknown',
      ended: finishes,
      'timer hangUp': finishes,
    });
  });

  it('of closed', () => {
    expect(tableOf(states.closed)).toEqual({});
  });

  it('takes no chunk while paused, not even one that was cut before', () => {
    const paused = goLive({ ...course, paused: true }, { kind: 'created' }, 0).state;
    const chunk = { kind: 'chunk', audio: new Float32Array(4000), urgent: true, at: 1 } as const;
    expect(transition(paused, chunk)).toEqual({ state: paused, effects: [] });
  });
});
