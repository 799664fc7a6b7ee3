import { describe, expect, it } from 'vitest';
import { initialChatUiState } from '../../../renderer/chat/chat-ui-state.ts';
import { refusingServer } from '../../../renderer/talk/talk-actions.ts';
import { appError, sessionError } from '../../../shared/errors/app-error.ts';
import { deferred, flushPromises } from '../../fakes/promises.ts';
import { conversationOf } from '../../gallery/sample-talk.ts';
import { sampleSettings, severalServers } from '../../gallery/sample-settings.ts';
import { openApp } from './open-app.ts';
import { createStore } from '../../../renderer/app/store.ts';
import {
  initialUiState,
  isMicrophoneOpening,
  listeningText,
} from '../../../renderer/app/ui-state.ts';
import { chimeFor, playQueueChimes } from '../../../renderer/talk/queue-chime.ts';
import { endingTitle, isTextLost, patchTurns } from '../../../renderer/talk/talk-ui-state.ts';
import { computerProfile } from '../../../shared/settings/connection-settings.ts';
import { redactSettings, defaultSettings } from '../../../shared/settings/settings.ts';
import {
  type CaptionedTurn,
  type CaptionPatch,
  type DeviceState,
  type Floor,
  noSpokenTurns,
  type SpokenTurns,
  type TalkState,
  updateSpokenTurns,
} from '../../../shared/talk/talk-view.ts';
import { expectedSeconds, expectedSecondsWithPictures } from '../../../renderer/talk/idle-card.tsx';
import { documentedContext } from '../../../shared/vision/context-facts.ts';
import { chatPlaceText, modelWaitText } from '../../../renderer/i18n/format.ts';
import { createI18n } from '../../../renderer/i18n/page-language.ts';
import type { LocalModelState } from '../../../shared/model/local-model-state.ts';

const hosted = severalServers.list.find(({ id }) => id === 'hosted');
const others = severalServers.list.filter((each) => each !== hosted);
const traits = { timeLimit: 90, config: { tone: 'calm', beam_width: 4 } };
const endpoints = {
  chosen: 'hosted',
  list: hosted === undefined ? others : [...others, { ...hosted, traits }],
};
const settings = { ...sampleSettings, endpoints };

function open(core: Parameters<typeof openApp>[0] = {}) {
  const app = openApp(core);
  app.store.setState({ settings, facts: { mode: 'audio', endpoint: hosted?.name ?? '' } });
  return app;
}

describe('a config field that the server refused', () => {
  it('is left out for this server before the talk restarts', async () => {
    const { actions, asked } = open();
    asked.length = 0;
    await actions.leaveOut('beam_width');
    expect(asked.map(({ name }) => name)).toEqual(['putEndpoint', 'startTalk']);
    const { hasToken: _hasToken, ...kept } = hosted ?? {};
    expect(asked[0]?.input).toEqual({
      ...kept,
      traits: { timeLimit: 90, config: { tone: 'calm', beam_width: null } },
    });
    expect(asked[1]?.input).toEqual({ mode: 'audio' });
  });

  it('is left out only once despite several clicks', async () => {
    const { actions, names } = open({ refused: ['putEndpoint'] });
    await Promise.all([actions.leaveOut('beam_width'), actions.leaveOut('beam_width')]);
    expect(names().filter((name) => name === 'putEndpoint')).toHaveLength(1);
    expect(names()).not.toContain('startTalk');
  });

  it('is left out even if the talk ended before the reply to its start', async () => {
    const start = deferred();
    const { actions, names, notice } = open({ until: { startTalk: start.promise } });
    const first = actions.start('audio');
    const error = appError('fieldRefused', { field: 'beam_width', reason: 'backend_error' });
    const ending = { error, by: 'server', orderly: false } as const;
    const state = { phase: 'ended', ending, offer: 'checkEndpoint' } as const;
    notice({ name: 'talkState', payload: state });
    const second = actions.leaveOut('beam_width');
    const third = actions.leaveOut('beam_width');
    await Promise.resolve();
    start.resolve();
    await Promise.all([first, second, third]);
    expect(names().filter((name) => name === 'startTalk')).toHaveLength(2);
  });

  it('is not offered for a built-in server or after another server was chosen', () => {
    const list = [...endpoints.list, computerProfile];
    const serverFor = (chosen: string, endpoint: string) =>
      refusingServer({
        settings: { ...settings, endpoints: { list, chosen } },
        facts: { mode: 'audio', endpoint },
      })?.id;
    expect(serverFor('hosted', 'MiniCPM-o, hosted')).toBe('hosted');
    expect(serverFor('home', 'MiniCPM-o, hosted')).toBeUndefined();
    expect(serverFor('embedded', 'Demonstration')).toBeUndefined();
    expect(serverFor('computer', 'On this computer')).toBeUndefined();
  });
});

const conversation = conversationOf([]);
const chat = {
  conversation,
  options: initialChatUiState.options,
  list: [],
  line: { phase: 'idle' },
};

describe('text typed during a talk', () => {
  it('goes into one new written conversation', async () => {
    const { actions, asked } = openApp({ values: { chat } });
    await actions.typing.send('How is it spelled?');
    await actions.typing.send('And in French?');
    const done = asked.filter(({ name }) => name === 'beginChat' || name === 'sendChat');
    const sent = (text: string) => ({
      name: 'sendChat',
      input: { parts: [{ type: 'text', text }], chat: conversation.id },
    });
    expect(done).toEqual([
      { name: 'beginChat', input: { incognito: false } },
      sent('How is it spelled?'),
      sent('And in French?'),
    ]);
  });

  it('is not stored during an incognito talk', async () => {
    const { actions, asked, store } = openApp({ values: { chat } });
    store.setState({ storage: { incognito: true, talk: { kind: 'incognito' } } });
    await actions.typing.send('A secret');
    expect(asked).toContainEqual({ name: 'beginChat', input: { incognito: true } });
  });

  it('shows why it was not sent', async () => {
    const { actions, store, notice } = openApp({ works: false });
    actions.typing.setOpen(true);
    expect(await actions.typing.send('Hello')).toBe(false);
    expect(store.getState().typing).toMatchObject({ open: true, error: { code: 'noTalk' } });
    notice({ name: 'talkBegan', payload: { mode: 'audio', endpoint: 'Demonstration' } });
    expect(store.getState().typing).toEqual(initialUiState.typing);
  });

  it('stays when the talk gets another session, and is discarded in the next talk', async () => {
    const { actions, store, notice } = openApp();
    await flushPromises();
    actions.typing.write('message', () => 'A long');
    actions.typing.write('message', (before) => `${before} question`);
    const facts = { mode: 'audio', endpoint: 'Demonstration' } as const;
    notice({ name: 'talkBegan', payload: { ...facts, session: { id: 's2', dialect: 'unified' } } });
    const unsent = { message: 'A long question', task: '' };
    expect(store.getState().typing.unsent).toEqual(unsent);
    notice({ name: 'talkBegan', payload: facts });
    expect(store.getState().typing.unsent).toEqual(initialUiState.typing.unsent);
  });
});

const added = (turn: number): CaptionPatch => ({ turn, added: `${turn}`, heard: 1 });
const newTurns = (count: number): readonly CaptionPatch[] =>
  Array.from({ length: count }, (_, turn) => added(turn));

it('captions are the same whether patches come together or one by one', () => {
  const patches: readonly CaptionPatch[] = [
    ...newTurns(5),
    { turn: 2, added: ' more' },
    { turn: 4, heard: 1, settled: true },
    { turn: 3, cutFrom: 0 },
  ];
  let oneByOne: readonly CaptionedTurn[] = [];
  for (const patch of patches) oneByOne = patchTurns(oneByOne, [patch]);
  expect(patchTurns([], patches)).toEqual(oneByOne);
  expect(oneByOne[2]).toMatchObject({ text: '2 more' });
});

it('a caption patch keeps the identity of other turns and does not change the input list', () => {
  const before = patchTurns([], newTurns(3));
  const after = patchTurns(before, [{ turn: 2, added: '!' }]);
  expect(after[0]).toBe(before[0]);
  expect(before[2]?.text).toBe('2');
});

it('captions keep at least the newest 2,000 turns, whether these come at once or one by one', () => {
  const many = newTurns(7000);
  const atOnce = patchTurns([], many);
  let oneByOne: readonly CaptionedTurn[] = [];
  for (const patch of many) oneByOne = patchTurns(oneByOne, [patch]);
  for (const turns of [atOnce, oneByOne]) {
    expect(turns.length).toBeGreaterThanOrEqual(2000);
    expect(turns.length).toBeLessThanOrEqual(2200);
    expect(turns.at(-1)?.turn).toBe(6999);
  }
});

/** The spoken turns after these changes of the floor, in seconds, with Parley's newest turn. */
function turnsAfter(...steps: readonly (readonly [at: number, floor: Floor, newest?: number])[]) {
  return steps.reduce<SpokenTurns>(
    (spoken, [at, floor, newest]) => updateSpokenTurns(spoken, floor, newest, at * 1000),
    noSpokenTurns,
  ).turns;
}

describe('the spoken turns', () => {
  it('have a length, and are assigned to the newest turn at their beginning', () => {
    expect(turnsAfter([1, 'you', 3], [5, 'nobody', 4])).toEqual([
      { at: 1000, seconds: 4, after: 3 },
    ]);
    expect(turnsAfter([1, 'you'], [2, 'both', 1], [4, 'parley', 1])).toEqual([
      { at: 1000, seconds: 3, after: undefined },
    ]);
  });

  it('skip a cough, and join speech across a breath', () => {
    expect(turnsAfter([1, 'you'], [1.5, 'nobody'])).toEqual([]);
    expect(turnsAfter([1, 'you', 2], [3, 'nobody', 2], [4, 'you', 2], [4.5, 'nobody', 2])).toEqual([
      { at: 1000, seconds: 2.5, after: 2 },
    ]);
    expect(
      turnsAfter([1, 'you', 2], [3, 'parley', 2], [6, 'you', 3], [8, 'nobody', 3]),
    ).toHaveLength(2);
  });
});

it('the headline of an ended talk names who or what ended it', () => {
  const ending = { error: sessionError('x'), by: 'server', orderly: true } as const;
  expect(endingTitle(ending, 'none')).toBe('server');
  expect(endingTitle({ ...ending, error: sessionError('timeout') }, 'continue')).toBe('limit');
  expect(endingTitle({ ...ending, error: sessionError('context_full') }, 'continue')).toBe(
    'context',
  );
  expect(endingTitle(ending, 'checkToken')).toBe('token');
  expect(endingTitle({ ...ending, by: 'network' }, 'checkEndpoint')).toBe('endpoint');
});

it('the card of a talk does not say that its text is lost if the talk had no words, or a crash cut it and the text is stored', () => {
  const lost = { kind: 'notStored' } as const;
  const cut = { error: appError('talkCutByCrash', { time: '8:08' }) };
  const ended = { error: appError('endedByPerson') };
  const keeping = { keepsTalks: true, hasWords: true };
  expect(isTextLost(lost, cut, keeping)).toBe(false);
  expect(isTextLost(lost, cut, { ...keeping, keepsTalks: false })).toBe(true);
  expect(isTextLost(lost, ended, keeping)).toBe(true);
  expect(isTextLost(lost, ended, { ...keeping, hasWords: false })).toBe(false);
  expect(isTextLost({ kind: 'stored', id: 'talk' }, ended, keeping)).toBe(false);
});

const queued = (position: number | undefined): TalkState => ({
  phase: 'queued',
  position,
  length: 4,
  etaSeconds: undefined,
});

describe('queue chimes', () => {
  it('sound only for moving up and for the user’s turn', () => {
    expect(chimeFor(queued(3), queued(2))).toBe('moved');
    expect(chimeFor(queued(1), { phase: 'live' })).toBe('turn');
    expect(chimeFor(queued(1), { phase: 'connecting' })).toBe('turn');
    expect(chimeFor(queued(undefined), queued(3))).toBeUndefined();
    expect(chimeFor(queued(2), queued(3))).toBeUndefined();
    expect(chimeFor(queued(2), { phase: 'ending' })).toBeUndefined();
    expect(chimeFor({ phase: 'connecting' }, { phase: 'live' })).toBeUndefined();
  });

  it('sound once per change, and only while turned on', () => {
    const store = createStore({ ...initialUiState, talkState: { value: queued(2), at: 0 } });
    const played: string[] = [];
    playQueueChimes(store, (chime) => played.push(chime));
    store.setState({ talkState: { value: queued(1), at: 1 } });
    store.setState({ floor: 'you' });
    const audio = { ...defaultSettings.audio, chimes: false };
    store.setState({ settings: redactSettings({ ...defaultSettings, audio }) });
    store.setState({ talkState: { value: { phase: 'live' }, at: 2 } });
    expect(played).toEqual(['moved']);
  });
});

it('a live session hears the user only after its microphone is open, or known to be lost', () => {
  const stateOf = (phase: 'idle' | 'live', microphone: DeviceState) => ({
    talkState: { value: { phase }, at: 0 },
    devices: { ...initialUiState.devices, microphone },
    controls: initialUiState.controls,
  });
  const opening = (phase: 'idle' | 'live', microphone: DeviceState): boolean =>
    isMicrophoneOpening(stateOf(phase, microphone));
  const unknown = { kind: 'unknown' } as const;
  expect([opening('idle', unknown), opening('live', unknown)]).toEqual([false, true]);
  const using = { kind: 'using', device: 'Desk microphone' } as const;
  const lost = { kind: 'lost', error: appError('noMicrophone') } as const;
  expect([opening('live', using), opening('live', lost)]).toEqual([false, false]);
  expect([unknown, using, lost].map((each) => listeningText(stateOf('live', each)))).toEqual([
    'talk.microphoneOpening',
    'talk.captions.none',
    'talk.captions.deaf',
  ]);
  const { controls, ...live } = stateOf('live', using);
  const muted = { ...live, controls: { ...controls, muted: true } };
  const paused = { ...live, controls: { ...muted.controls, paused: true } };
  expect([listeningText(muted), listeningText(paused)]).toEqual([
    'talk.captions.muted',
    'talk.captions.paused',
  ]);
  const keyUp = { ...live, controls: { ...controls, talking: 'hold' } } as const;
  const keyDown = { ...keyUp, controls: { ...keyUp.controls, passing: true } };
  expect([listeningText(keyUp), listeningText(keyDown)]).toEqual([
    'talk.captions.keyUp',
    'talk.captions.none',
  ]);
});

const onePerSecond = { budget: 5, slices: 1, rate: 1, chunkMs: 1000 };

it('a session is expected to last until its context is full or its time is over', () => {
  expect([expectedSeconds(), expectedSecondsWithPictures(onePerSecond)]).toEqual([480, 90]);
  expect(expectedSeconds({ timeLimit: 300 })).toBe(300);
  expect(expectedSecondsWithPictures(onePerSecond, documentedContext, { timeLimit: 300 })).toBe(90);
  expect(
    expectedSecondsWithPictures(onePerSecond, documentedContext, { contextLimit: 16_384 }),
  ).toBe(180);
  expect(expectedSeconds({ contextLimit: 81_920 })).toBe(600);
});

it('fewer pictures and a server’s measured memory change the expected length', () => {
  const expected = [1, 2, 3, 4, 5].map((budget) =>
    expectedSecondsWithPictures({ ...onePerSecond, budget }),
  );
  expect(expected).toEqual([300, 300, 230, 152, 90]);
  const measured = { ...documentedContext, otherTokensPerSecond: 40 };
  expect(expectedSecondsWithPictures(onePerSecond, measured)).toBeLessThan(80);
  const everyAppend = { ...documentedContext, everyAppend: true };
  expect(expectedSecondsWithPictures({ ...onePerSecond, budget: 1 }, everyAppend)).toBe(90);
});

const { t } = await createI18n('en');
const model: LocalModelState = {
  hardware: undefined,
  program: undefined,
  files: { kind: 'unknown' },
  server: { kind: 'ready', pace: undefined },
};

it('the text about the model says what a chat or a talk waits for', () => {
  expect(modelWaitText(t, 'chat', { ...model, user: 'talk' })).toBe(
    'Not while you talk. Parley answers when the talk ends.',
  );
  expect(modelWaitText(t, 'talk', { ...model, user: 'chat' })).toBe(
    'The chat’s answer comes first. Then the talk starts.',
  );
  expect(modelWaitText(t, 'talk', { ...model, user: 'talk' })).toBeUndefined();
});

it('the text about the model says that a chat waits only for its own process, and why there is none', () => {
  const loading = { kind: 'loading', progress: 0, secondsLeft: 12 } as const;
  const own = { kind: 'own', server: model.server } as const;
  expect(modelWaitText(t, 'chat', { ...model, user: 'talk', chat: own })).toBeUndefined();
  const chat = { kind: 'own', server: loading } as const;
  expect(modelWaitText(t, 'chat', { ...model, user: 'talk', chat })).toBe(
    'Loading the model, about 12 s',
  );
  const turns = { kind: 'turns', error: appError('modelCardMemory') } as const;
  expect(modelWaitText(t, 'chat', { ...model, user: 'talk', chat: turns })).toBe(
    'Not while you talk. Parley answers when the talk ends.',
  );
  expect(chatPlaceText(t, turns)).toMatch(
    /^Chat waits while you talk, .* did not run\. The graphics/u,
  );
  expect(chatPlaceText(t, own)).toBe('A second copy of the model answers chats.');
  expect(chatPlaceText(t, undefined)).toBeUndefined();
});
