import { describe, expect, it } from 'vitest';
import { replayKeyAction, type ReplayKeyPress } from '../../../../renderer/replay/replay-keys.ts';
import { isTapeLike, mayBeTape } from '../../../../renderer/replay/tape-drop.tsx';
import type { Notice } from '../../../../shared/ipc/contract.ts';
import type { ReplayView } from '../../../../shared/recordings/replay-view.ts';
import { deferred } from '../../../fakes/deferred.ts';
import { flushPromises } from '../../../fakes/flush-promises.ts';
import { openApp } from '../open-app.ts';
import { sampleReplay } from './sample-replay.ts';

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
const press = (key: string, modifiers: Partial<ReplayKeyPress> = {}) =>
  replayKeyAction({ ...noModifiers, key, ...modifiers });

describe('the replay keys', () => {
  it('seek by five seconds, with Shift by one, with Control by a word', () => {
    expect(press('ArrowRight')).toEqual({ kind: 'by', ms: 5000 });
    expect(press('ArrowLeft')).toEqual({ kind: 'by', ms: -5000 });
    expect(press('ArrowLeft', { shiftKey: true })).toEqual({ kind: 'by', ms: -1000 });
    expect(press('ArrowRight', { ctrlKey: true })).toEqual({ kind: 'word', direction: 'next' });
  });

  it('match characters in every keyboard layout', () => {
    const altGr = { ctrlKey: true, altKey: true };
    expect(press('[', altGr)).toEqual({ kind: 'step', direction: 'previous' });
    expect(press(']')).toEqual({ kind: 'step', direction: 'next' });
    expect(press('>', { shiftKey: true })).toEqual({ kind: 'speed', steps: 1 });
    expect(press('<')).toEqual({ kind: 'speed', steps: -1 });
  });

  it('play, close, and go to either end; other keys have no action', () => {
    expect(press(' ')).toEqual({ kind: 'toggle' });
    expect(press('Escape')).toEqual({ kind: 'close' });
    expect(press('Home')).toEqual({ kind: 'toStart' });
    expect(press('End')).toEqual({ kind: 'toEnd' });
    for (const key of ['k', 'i', 'Enter', 'Tab', 'toString'])
      expect(press(key), key).toBeUndefined();
    expect(press(' ', { busy: true })).toBeUndefined();
    expect(press(' ', { ctrlKey: true })).toBeUndefined();
    expect(press('ArrowLeft', { altKey: true })).toBeUndefined();
    expect(press('[', { metaKey: true })).toBeUndefined();
  });
});

const draggedFile = (type: string) => ({ kind: 'file', type });

describe('an item dropped on the window', () => {
  it('may be a tape if it has no media type, like a folder', () => {
    expect(mayBeTape([draggedFile('')])).toBe(true);
    expect(mayBeTape([draggedFile('application/zip')])).toBe(true);
    expect(mayBeTape([draggedFile('application/x-ndjson')])).toBe(true);
  });

  it('is not a tape if it is a picture, sound or text, several files, or no file', () => {
    for (const type of ['image/png', 'audio/wav', 'text/plain', 'application/pdf'])
      expect(mayBeTape([draggedFile(type)]), type).toBe(false);
    expect(mayBeTape([draggedFile(''), draggedFile('')])).toBe(false);
    expect(mayBeTape([{ kind: 'string', type: '' }])).toBe(false);
    expect(mayBeTape([])).toBe(false);
  });

  it('is recognized as a tape by its name, or as a folder', () => {
    expect(isTapeLike({ name: 'Talk.PARLEYTAPE', folder: false })).toBe(true);
    expect(isTapeLike({ name: 'tape.ndjson', folder: false })).toBe(true);
    expect(isTapeLike({ name: '2026-10-03', folder: true })).toBe(true);
    expect(isTapeLike({ name: 'parleytape.png', folder: false })).toBe(false);
  });
});
