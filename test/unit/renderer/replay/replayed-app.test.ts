import { describe, expect, it } from 'vitest';
import { createReplayedApp } from '../../../../renderer/replay/replayed-talk.tsx';
import { appError } from '../../../../shared/errors/app-error.ts';
import type { Notice } from '../../../../shared/ipc/contract.ts';
import type { ReplayedNotice } from '../../../../shared/recordings/replay-view.ts';
import { flushPromises } from '../../../fakes/flush-promises.ts';
import { openApp } from '../open-app.ts';
import { sampleReplay } from './sample-replay.ts';

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

  it('keeps the identity of unchanged parts, so that a tick renders nothing', async () => {
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

  it('has only the replay’s levels and wire events', async () => {
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

  it('dismisses a replayed problem without dismissing current ones', async () => {
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
