import { describe, expect, it } from 'vitest';
import type {
  Effect,
  SessionContext,
  SessionInput,
  SessionState,
} from '../../../../../electron/talk/session/session-state.ts';
import { enterLive } from '../../../../../electron/talk/session/transition-connecting.ts';
import { transition } from '../../../../../electron/talk/session/transition.ts';
import { sessionError } from '../../../../../shared/errors/app-error.ts';
import { randomRuns } from '../../../../fakes/seeded.ts';
import { playRandomSession } from './random-session.ts';
import * as say from './session-harness.ts';

const context: SessionContext = {
  mode: 'audio',
  settings: {},
  forced: false,
  dialect: 'unified',
  remembered: undefined,
  configures: 1,
  voiceForm: undefined,
  refusals: [],
  failedHandOvers: 0,
  idPrefix: 'p-',
  yielding: 'auto',
  paused: false,
  questions: [],
  takesTools: false,
  calls: new Map(),
};

const ending = { error: sessionError('r'), by: 'client', orderly: true } as const;

const states = {
  unsupported: { phase: 'connecting', stage: 'unsupported', context },
  opening: { phase: 'connecting', stage: 'opening', context },
  opened: { phase: 'connecting', stage: 'opened', context },
  backoff: { phase: 'connecting', stage: 'backoff', context },
  queued: { phase: 'queued', context },
  configuring: { phase: 'configuring', context, since: 0 },
  live: enterLive(context, { kind: 'created' }, 0).state,
  chat: enterLive({ ...context, mode: 'chat' }, { kind: 'created' }, 0).state,
  closeRequested: { phase: 'closing', stage: 'closeRequested', ending },
  disconnecting: { phase: 'closing', stage: 'disconnecting', ending },
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
  'server toolCall': { kind: 'server', event: { kind: 'toolCall', call: 'c' } },
  'timer unsupported': { kind: 'timer', name: 'unsupported' },
  'timer opening': { kind: 'timer', name: 'opening' },
  'timer firstEvent': { kind: 'timer', name: 'firstEvent' },
  'timer retry': { kind: 'timer', name: 'retry' },
  'timer created': { kind: 'timer', name: 'created' },
  'timer answer': { kind: 'timer', name: 'answer' },
  'timer lateSound': { kind: 'timer', name: 'lateSound' },
  'timer closeRequested': { kind: 'timer', name: 'closeRequested' },
  'timer disconnecting': { kind: 'timer', name: 'disconnecting' },
  chunk: {
    kind: 'command',
    command: { kind: 'chunk', audio: new Float32Array(16_000), urgent: false },
  },
  see: { kind: 'command', command: { kind: 'frame', frame: new Uint8Array(1) } },
  slices: { kind: 'command', command: { kind: 'maxSlices', slices: 1 } },
  instructions: { kind: 'command', command: { kind: 'instructions', text: 'Be brief.' } },
  ask: { kind: 'command', command: { kind: 'question', question: { messages: [] } } },
  result: { kind: 'command', command: { kind: 'toolResult', call: 'c', text: 'a' } },
  interrupt: { kind: 'command', command: { kind: 'interrupt' } },
  pause: { kind: 'command', command: { kind: 'pause' } },
  resume: { kind: 'command', command: { kind: 'resume' } },
  end: { kind: 'end' },
} as const satisfies Record<string, WithoutTime<SessionInput>>;

type WithoutTime<Event> = Event extends unknown ? Omit<Event, 'at'> : never;

function describeEffect(effect: Effect): string {
  if (effect.do === 'send') return `send ${effect.message.kind} ${effect.dialect}`;
  if (effect.do === 'timer' || effect.do === 'stopTimer') return `${effect.do} ${effect.name}`;
  if (effect.do === 'emit' && effect.event.event === 'error')
    return `emit ${effect.event.fatal ? 'fatal' : 'error'} ${effect.event.error.code}`;
  if (effect.do === 'emit') return `emit ${effect.event.event}`;
  return effect.do;
}

function placeOf(state: SessionState): string {
  return 'stage' in state ? `${state.phase} (${state.stage})` : state.phase;
}

/** The table of a state: each input that changes the state or has effects. */
function tableOf(state: SessionState): Readonly<Record<string, string>> {
  const rows = Object.entries(inputs).flatMap(([name, input]) => {
    const { state: next, effects } = transition(state, { ...input, at: 10 });
    const done = effects.map(describeEffect);
    if (done.length === 0 && placeOf(next) === placeOf(state)) return [];
    return [[name, [placeOf(next), ...done].join(' · ')] as const];
  });
  return Object.fromEntries(rows);
}
const disconnects =
  'closing (disconnecting) · stopTimers · emit state · disconnect · timer disconnecting';
const reportsAndDisconnects =
  'closing (disconnecting) · emit fatal queueFull · stopTimers · emit state · disconnect · timer disconnecting';
const closes = 'closed · stopTimers · emit state · terminate · emit closed';

/** Transitions that every state of an open connection has. */
const common = (place: string) => ({
  'server closed': disconnects,
  'server error, fatal': reportsAndDisconnects,
  'server error, refusal': `${place} · emit error serverReports`,
  'server error, other': `${place} · emit error serverReports`,
  'server unknown': `${place} · emit unknown`,
  'server malformed': `${place} · emit error eventUnreadable`,
  ended: closes,
});

const tables: Readonly<Record<keyof typeof states, Readonly<Record<string, string>>>> = {
  unsupported: { 'timer unsupported': closes, end: closes },
  opening: {
    opened: 'connecting (opened) · stopTimer opening · timer firstEvent',
    ended: closes,
    'timer opening': closes,
    end: closes,
  },
  opened: {
    ...common('connecting (opened)'),
    'server queued': 'queued · stopTimers · emit state · emit queue',
    'server admitted':
      'configuring · stopTimers · emit state · send configure unified · timer created',
    'timer firstEvent': disconnects,
    end: disconnects,
  },
  backoff: {
    'timer retry': 'connecting (opening) · connect · timer opening',
    end: closes,
  },
  queued: {
    ...common('queued'),
    'server queued': 'queued · emit queue',
    'server admitted':
      'configuring · stopTimers · emit state · send configure unified · timer created',
    end: disconnects,
  },
  configuring: {
    ...common('configuring'),
    'server created':
      'live · discardChunk · stopTimers · emit state · emit session · rememberDialect',
    'server error, refusal': 'configuring · send configure legacy · timer created',
    'timer created':
      'connecting (opening) · stopTimers · emit state · terminate · connect · timer opening',
    end: disconnects,
  },
  live: {
    ...common('live'),
    'server listen': 'live · emit listen',
    'server output': 'live · emit text',
    'timer answer': disconnects,
    chunk: 'live · send append unified · emit sent · timer answer',
    ask: 'live · emit error notChat',
    interrupt: 'live · flushChunk',
    pause: 'live · stopTimer answer · discardChunk',
    end: 'closing (closeRequested) · stopTimers · emit state · send close unified · timer closeRequested',
  },
  chat: {
    ...common('live'),
    'timer answer': disconnects,
    ask: 'live · send chat unified · timer answer',
    end: 'closing (closeRequested) · stopTimers · emit state · send close unified · timer closeRequested',
  },
  closeRequested: {
    'server closed':
      'closing (disconnecting) · stopTimer closeRequested · disconnect · timer disconnecting',
    'server unknown': 'closing (closeRequested) · emit unknown',
    ended: closes,
    'timer closeRequested':
      'closing (disconnecting) · stopTimer closeRequested · disconnect · timer disconnecting',
  },
  disconnecting: {
    'server unknown': 'closing (disconnecting) · emit unknown',
    ended: closes,
    'timer disconnecting': closes,
  },
  closed: {},
};

describe('the transition table of the state', () => {
  it.each(Object.entries(states))('%s', (name, state) => {
    expect(tableOf(state)).toEqual(tables[name as keyof typeof states]);
  });

  it('live and paused sends no chunk, not even one cut before the pause', () => {
    const paused = enterLive({ ...context, paused: true }, { kind: 'created' }, 0).state;
    const command = { kind: 'chunk', audio: new Float32Array(4000), urgent: true } as const;
    expect(transition(paused, { kind: 'command', command, at: 1 })).toEqual({
      state: paused,
      effects: [],
    });
  });
});

describe('random input to a session', () => {
  it(
    'never throws, breaks a rule of the documents or leaves a timer or socket open, and ends the session once',
    { timeout: 60_000 },
    () => {
      const runs = randomRuns(4000);
      const phases = new Set<string>();
      let asks = 0;
      for (let seed = 0; seed < runs; seed += 1) {
        const { harness } = playRandomSession(seed);
        const run = `run ${seed}`;
        expect(harness.broken, run).toEqual([]);
        expect(harness.emittedOf('closed'), run).toHaveLength(1);
        expect(harness.emitted.at(-1)?.event, run).toBe('closed');
        expect(harness.session.phase, run).toBe('closed');
        expect(harness.clock.pending, run).toBe(0);
        expect(
          harness.sockets.lines.every(({ state }) => state === 'ended'),
          run,
        ).toBe(true);
        expect(harness.remembered.length, run).toBeLessThanOrEqual(1);
        for (const { state } of harness.emittedOf('state')) phases.add(state);
        asks += harness.asked.length;
      }
      expect([...phases].toSorted()).toEqual([
        'closed',
        'closing',
        'configuring',
        'connecting',
        'live',
        'queued',
      ]);
      // The test would prove nothing if hardly anything were sent.
      expect(asks).toBeGreaterThan(runs * 2.5);
    },
  );
});
