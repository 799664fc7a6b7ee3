import { describe, expect, it } from 'vitest';
import { createReplayedApp } from '../../../renderer/replay/replayed-talk.tsx';
import { appError, failure } from '../../../shared/errors/app-error.ts';
import type { Notice } from '../../../shared/ipc/contract.ts';
import type { ReplayedNotice, ReplayView } from '../../../shared/recordings/replay-view.ts';
import { flushPromises, deferred } from '../../fakes/promises.ts';
import { openApp, sampleReplay } from './open-app.ts';
import { adjacentWord, replayKeyAction } from '../../../renderer/replay/replay-keys.ts';
import { isTapeLike, mayBeTape } from '../../../renderer/replay/tape-drop.tsx';
import { createI18n } from '../../../renderer/i18n/page-language.ts';
import { ribbonColumns } from '../../../renderer/replay/paint-timeline.ts';
import { findMarkNear, momentText } from '../../../renderer/replay/replay-timeline.tsx';
import { recordedAtText, speedChoices } from '../../../renderer/replay/replay-screen.tsx';
import { formatTime } from '../../../renderer/i18n/format.ts';
import type { CaptionedTurn } from '../../../shared/talk/talk-view.ts';

async function openReplayedApp() {
  let time = 0;
  const live = openApp({}, { now: () => time });
  // Notices are queued until the talk has been read.
  await flushPromises();
  live.notice({ name: 'replayChanged', payload: sampleReplay });
  const replayed = createReplayedApp(live);
  const stop = replayed.follow();
  return {
    names: live.names,
    notice: live.notice,
    live,
    app: replayed.app,
    stop,
    pass: (ms: number) => {
      time += ms;
    },
  };
}

const caption: ReplayedNotice = {
  at: 3000,
  name: 'caption',
  payload: { turn: 1, added: 'Hello there.', heard: 5 },
};

describe('the replayed app', () => {
  it('shows the replayed talk without touching the running one', async () => {
    const { live, app, notice } = await openReplayedApp();
    notice({ name: 'caption', payload: { turn: 7, added: 'Of now.' } });
    notice({
      name: 'replayed',
      payload: [
        { at: 0, name: 'talkBegan', payload: { mode: 'audio', endpoint: 'embedded' } },
        { at: 500, name: 'talkState', payload: { phase: 'live' } },
        caption,
      ],
    });
    const texts = (store: typeof live.store) => store.getState().captions.map(({ text }) => text);
    expect(texts(app.store)).toEqual(['Hello there.']);
    expect(texts(live.store)).toEqual(['Of now.']);
    expect(app.store.getState().talkState).toEqual({ value: { phase: 'live' }, at: 500 });
    expect(live.store.getState().talkState.value.phase).toBe('idle');
    expect(app.store.getState().facts?.endpoint).toBe('Demonstration');
  });

  it('keeps the identity of unchanged parts, so that a playback tick renders nothing', async () => {
    const { app, notice } = await openReplayedApp();
    notice({ name: 'replayed', payload: [caption] });
    const before = app.store.getState();
    notice({ name: 'replayPlay', payload: { ...sampleReplay.play, at: 100, playing: true } });
    const after = app.store.getState();
    expect(after).not.toBe(before);
    for (const part of [
      'talkState',
      'facts',
      'limits',
      'captions',
      'controls',
      'talkErrors',
    ] as const)
      expect(after[part], part).toBe(before[part]);
    expect(app.store.getState()).toBe(after);
  });

  it('cannot start, end or change a talk', async () => {
    const { app, names } = await openReplayedApp();
    const before = names().length;
    const { actions } = app;
    await Promise.all([
      actions.start('audio'),
      actions.end(),
      actions.continueTalk('transcript'),
      actions.interrupt(),
      actions.reconnectNow(),
      actions.talkKey('press'),
      actions.setTalking('hold'),
      actions.setMuted(true),
      actions.setCoughMuted(true),
      actions.setPaused(true),
    ]);
    expect(names().slice(before)).toEqual([]);
  });

  it('passes on only the replay’s levels and wire events, not the talk’s', async () => {
    const { app, live, notice, stop } = await openReplayedApp();
    const levels: number[] = [];
    const heard: string[] = [];
    app.levels.add(({ rmsDb }) => levels.push(rmsDb));
    app.listen(({ name }) => heard.push(name));
    const talkLevels: number[] = [];
    live.levels.add(({ rmsDb }) => talkLevels.push(rmsDb));
    const level = { who: 'you', rmsDb: -20, peakDb: -10 } as const;
    const notices: readonly Notice[] = [
      { name: 'level', payload: { ...level, rmsDb: -40 } },
      { name: 'replayLevel', payload: level },
      { name: 'wire', payload: { frames: [], missed: 0 } },
      { name: 'replayWire', payload: { frames: [], missed: 1 } },
      { name: 'talkStep', payload: { buffer: undefined, latest: {} } },
    ];
    for (const each of notices) notice(each);
    expect(levels).toEqual([-20]);
    expect(talkLevels).toEqual([-40]);
    expect(heard).toEqual(['level', 'wire']);
    stop();
    notice({ name: 'replayLevel', payload: level });
    expect(levels).toEqual([-20]);
  });

  it('extrapolates the tape’s time at its speed, and stops while paused', async () => {
    const { app, notice, pass } = await openReplayedApp();
    pass(1000);
    expect(app.now()).toBe(0);
    notice({
      name: 'replayPlay',
      payload: { at: 5000, playing: true, speed: 2, sound: 'heard' },
    });
    pass(100);
    expect(app.now()).toBe(5200);
    // A core that is silent for long may hang.
    pass(60_000);
    expect(app.now()).toBe(5500);
    notice({
      name: 'replayPlay',
      payload: { at: 5400, playing: false, speed: 2, sound: 'heard' },
    });
    pass(60_000);
    expect(app.now()).toBe(5400);
  });

  it('dismisses a replayed problem without dismissing a current one', async () => {
    const { app, live, notice } = await openReplayedApp();
    const replayed = appError('sessionCut');
    notice({ name: 'talkTrouble', payload: appError('noMicrophone') });
    notice({ name: 'replayed', payload: [{ at: 10, name: 'talkTrouble', payload: replayed }] });
    const [shown] = app.store.getState().talkErrors;
    expect(shown).toEqual(replayed);
    if (shown !== undefined) app.actions.dismissTrouble(shown);
    expect(app.store.getState().talkErrors).toEqual([]);
    expect(live.store.getState().talkErrors).toHaveLength(1);
  });
});

const voice = { kind: 'example', example: 'voice' } as const;
const changed = (payload: ReplayView): Notice => ({ name: 'replayChanged', payload });

async function open(options: Parameters<typeof openApp>[0] = {}) {
  const app = openApp(options);
  await flushPromises();
  app.asked.length = 0;
  return { ...app, replay: app.actions.replay };
}

describe('the replay actions', () => {
  it('show a replay over the current screen, play it, and return to that screen', async () => {
    const { store, replay, names, notice, actions } = await open();
    actions.go('chat');
    const opening = replay.open(voice);
    expect(store.getState()).toMatchObject({ screen: 'replay', replay: { kind: 'opening' } });
    notice(changed(sampleReplay));
    await opening;
    expect(names()).toEqual(['openReplay', 'playReplay']);
    await replay.close();
    expect(store.getState()).toMatchObject({ screen: 'chat', replay: { kind: 'none' } });
  });

  it('show why a recording could not be opened', async () => {
    const { store, replay, names, notice } = await open({ works: false });
    const opening = replay.open(voice);
    // The core posts this before its reply.
    notice(changed({ kind: 'none' }));
    await opening;
    expect(store.getState()).toMatchObject({
      screen: 'replay',
      replay: { kind: 'failed', origin: voice, error: { code: 'noTalk' } },
    });
    expect(names()).toEqual(['openReplay']);
  });

  it('do not play an opened recording during a talk', async () => {
    const { store, replay, names } = await open();
    store.setState({ talkState: { value: { phase: 'live' }, at: 0 } });
    await replay.open(voice);
    expect(names()).toEqual(['openReplay']);
  });

  it('show on any screen that a dropped file without a path cannot be opened, and pause an open recording', async () => {
    const openDropped = () => Promise.resolve(failure('notARecording'));
    const { store, actions, notice, names } = await open({ openDropped });
    notice(changed({ ...sampleReplay, play: { ...sampleReplay.play, playing: true } }));
    actions.go('history');
    await actions.replay.openDropped(new File([], 'talk.parleytape'));
    expect(store.getState()).toMatchObject({
      screen: 'replay',
      replay: { kind: 'failed', origin: { name: 'talk.parleytape' } },
    });
    expect(names()).toContain('pauseReplay');
  });

  it('keep the screen if the user left meanwhile', async () => {
    const { store, actions, notice } = await open();
    notice(changed({ kind: 'opening', origin: voice }));
    actions.go('settings');
    notice(changed(sampleReplay));
    expect(store.getState().screen).toBe('settings');
    notice(changed({ kind: 'none' }));
    expect(store.getState().screen).toBe('settings');
  });

  it('seek to the newest target after a pending seek', async () => {
    const seek = deferred();
    const until: { seekReplay?: Promise<void> } = { seekReplay: seek.promise };
    const { replay, notice, asked } = await open({ until });
    notice(changed(sampleReplay));
    const done = [replay.seek(1000), replay.seek(2000), replay.seek(3000.4)];
    await flushPromises();
    expect(asked).toEqual([{ name: 'seekReplay', input: { at: 1000 } }]);
    delete until.seekReplay;
    seek.resolve();
    await Promise.all(done);
    expect(asked.map(({ input }) => input)).toEqual([{ at: 1000 }, { at: 3000 }]);
  });

  it('seek relative to a pending seek, within both ends', async () => {
    const { replay, notice, asked } = await open();
    notice(changed(sampleReplay));
    await Promise.all([replay.seekBy(5000), replay.seekBy(5000)]);
    await replay.seekBy(-9000);
    await replay.seek(99_000);
    expect(asked.map(({ input }) => input)).toEqual([
      { at: 5000 },
      { at: 10_000 },
      { at: 0 },
      { at: 60_000 },
    ]);
  });

  it('seek to the very end, where the talk has ended', async () => {
    const { replay, notice, asked } = await open();
    const timeline = { ...sampleReplay.timeline, lengthMs: 19_406.265 };
    notice(changed({ ...sampleReplay, timeline }));
    await replay.seek(Infinity);
    expect(asked).toEqual([{ name: 'seekReplay', input: { at: 19_406.265 } }]);
  });

  it('change the speed by a step, up to the fastest', async () => {
    const { replay, notice, asked } = await open();
    notice(changed(sampleReplay));
    await replay.speedBy(1);
    await replay.speedBy(-1);
    notice({ name: 'replayPlay', payload: { ...sampleReplay.play, speed: 8 } });
    await replay.speedBy(1);
    expect(asked.map(({ input }) => input)).toEqual([{ speed: 1.25 }, { speed: 0.75 }]);
  });
});

const noModifiers = { shiftKey: false, ctrlKey: false, altKey: false, metaKey: false, busy: false };
type Modifiers = Partial<typeof noModifiers>;

it.each<readonly [string, Modifiers, ReturnType<typeof replayKeyAction>]>([
  ['ArrowRight', {}, { kind: 'by', ms: 5000 }],
  ['ArrowLeft', {}, { kind: 'by', ms: -5000 }],
  ['ArrowLeft', { shiftKey: true }, { kind: 'by', ms: -1000 }],
  ['ArrowRight', { ctrlKey: true }, { kind: 'word', direction: 'next' }],
  // A character that needs AltGr on some keyboards.
  ['[', { ctrlKey: true, altKey: true }, { kind: 'step', direction: 'previous' }],
  [']', {}, { kind: 'step', direction: 'next' }],
  ['>', { shiftKey: true }, { kind: 'speed', steps: 1 }],
  ['<', {}, { kind: 'speed', steps: -1 }],
  [' ', {}, { kind: 'toggle' }],
  ['Escape', {}, { kind: 'close' }],
  ['Home', {}, { kind: 'toStart' }],
  ['End', {}, { kind: 'toEnd' }],
  ['Enter', {}, undefined],
  ['toString', {}, undefined],
  [' ', { busy: true }, undefined],
  [' ', { ctrlKey: true }, undefined],
  ['ArrowLeft', { altKey: true }, undefined],
  ['[', { metaKey: true }, undefined],
])('the replay key %j with %j triggers %j', (key, modifiers, action) => {
  expect(replayKeyAction({ ...noModifiers, ...modifiers, key })).toEqual(action);
});

it.each([
  ['one file without a media type, like a folder', [''], true],
  ['an archive', ['application/zip'], true],
  ['lines of JSON', ['application/x-ndjson'], true],
  ['a picture', ['image/png'], false],
  ['a sound', ['audio/wav'], false],
  ['a text', ['text/plain'], false],
  ['a document', ['application/pdf'], false],
  ['two files', ['', ''], false],
  ['nothing', [], false],
])('a drag may hold a tape if it is %s: the types %j give %j', (_what, types, may) => {
  expect(mayBeTape(types.map((type) => ({ kind: 'file', type })))).toBe(may);
});

it('a dropped file is a tape by its name, or as a folder', () => {
  expect(mayBeTape([{ kind: 'string', type: '' }])).toBe(false);
  expect(isTapeLike({ name: 'Talk.PARLEYTAPE', folder: false })).toBe(true);
  expect(isTapeLike({ name: 'tape.ndjson', folder: false })).toBe(true);
  expect(isTapeLike({ name: '2026-10-03', folder: true })).toBe(true);
  expect(isTapeLike({ name: 'parleytape.png', folder: false })).toBe(false);
});

const { timeline } = sampleReplay;
const { t } = await createI18n('en');

describe('the speeds of a replay', () => {
  it('are listed from the slowest to the fastest', () => {
    const listed = Object.values(speedChoices((speed) => `${speed}`)).map(Number);
    expect(listed).toEqual([0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4, 8]);
  });
});

describe('the time of a replayed talk', () => {
  it('is written like the times in the history', () => {
    const iso = '2026-10-03T14:02:11';
    expect(recordedAtText(t, iso, 'en')).toBe(
      `October 3, 2026, ${formatTime(Date.parse(iso), 'en')}`,
    );
    expect(formatTime(Date.parse(iso), 'en')).toMatch(/^2:02.PM$/u);
  });
});

describe('the ribbon', () => {
  const ribbon = (you: readonly number[], parley: readonly number[] = []) => ({
    everyMs: 50,
    you: Uint8Array.from(you),
    parley: Uint8Array.from(parley),
  });

  it('has the loudest level of each column, relative to the loudest of both voices', () => {
    const { you, parley } = ribbonColumns(ribbon([60, 200, 60, 60], [0, 0, 0, 130]), 200, 2);
    expect([...you]).toEqual([1, 0]);
    expect(parley[0]).toBe(0);
    expect(parley[1]).toBeCloseTo(0.5 ** 1.5, 5);
  });

  it('has no gaps when there are more columns than points, and is empty beyond its end', () => {
    const { you } = ribbonColumns(ribbon([200, 200]), 200, 8);
    expect([...you]).toEqual([1, 1, 1, 1, 0, 0, 0, 0]);
  });

  it('is flat for silence, and empty without data', () => {
    expect([...ribbonColumns(ribbon([40, 59]), 100, 2).you]).toEqual([0, 0]);
    expect([...ribbonColumns(ribbon([]), 0, 3).you]).toEqual([0, 0, 0]);
  });
});

describe('a position on the timeline', () => {
  it('finds the nearest mark within the tolerance', () => {
    expect(findMarkNear(timeline.marks, 25_100, 400)?.kind).toBe('interruption');
    expect(findMarkNear(timeline.marks, 25_200, 400)?.kind).toBe('picture');
    expect(findMarkNear(timeline.marks, 25_100, 50)).toBeUndefined();
  });

  it('is described by its event, or else by the speaker', () => {
    expect(momentText(t, timeline, 25_000, 100)).toBe('Interruption');
    expect(momentText(t, timeline, 5000, 100)).toBe('Parley answers');
    expect(momentText(t, timeline, 22_000, 100)).toBe('Parley answers, and is cut off');
    expect(momentText(t, timeline, 15_000, 100)).toBeUndefined();
    const error = appError('noMicrophone');
    const marks = [{ at: 10, kind: 'device', error } as const];
    const moment = momentText(t, { ...timeline, marks }, 10, 5);
    expect(moment).toMatch(/^Sound device: \w+/u);
    // The moment can be a sentence.
    const announced = t('replay.cameTo', { place: moment ?? '', time: '0:00 of 0:18' });
    expect(announced).toMatch(/^0:00 of 0:18\. Sound device: .+\.$/u);
  });
});

function turn(number: number, text: string, heard: number, cutFrom?: number): CaptionedTurn {
  return { turn: number, text, heard, cutFrom, settled: cutFrom !== undefined };
}

describe('the adjacent word', () => {
  const turns = [turn(1, 'One two.', 8), turn(2, 'Three, four five', 10)];

  it('is the next or the previous word, without punctuation', () => {
    expect(adjacentWord(turns, 'next', 'en')).toEqual({ turn: 2, offset: 12 });
    expect(adjacentWord(turns, 'previous', 'en')).toEqual({ turn: 2, offset: 0 });
  });

  it('is in the next or previous turn at the end or beginning of a turn', () => {
    expect(adjacentWord([turn(1, 'One two.', 8), turn(2, 'Three', 3)], 'previous', 'en')).toEqual({
      turn: 1,
      offset: 4,
    });
    expect(adjacentWord([turn(1, 'One two.', 8), turn(2, 'Three', 0)], 'next', 'en')).toEqual({
      turn: 2,
      offset: 0,
    });
    expect(adjacentWord([turn(1, 'One', 3)], 'previous', 'en')).toBeUndefined();
    expect(adjacentWord([], 'next', 'en')).toBeUndefined();
  });

  it('is never in text that was cut off', () => {
    expect(adjacentWord([turn(1, 'One two three', 7, 7)], 'next', 'en')).toBeUndefined();
  });

  it('is found in Chinese, which has no spaces', () => {
    const chinese = [turn(1, '今天天气很好', 2)];
    const next = adjacentWord(chinese, 'next', 'zh');
    expect(next).toEqual({ turn: 1, offset: 2 });
  });
});
