import { describe, expect, it } from 'vitest';
import { createAppContext } from '../../../../renderer/app/app-context.ts';
import type { Notice } from '../../../../shared/ipc/contract.ts';
import type { ReplayView } from '../../../../shared/recordings/replay-view.ts';
import { fakeBridge, fakeCapture } from '../../../fakes/fake-bridge.ts';
import { flushPromises } from '../../../fakes/flush-promises.ts';
import { sampleReplay } from './sample-replay.ts';

const voice = { kind: 'example', example: 'voice' } as const;
const changed = (payload: ReplayView): Notice => ({ name: 'replayChanged', payload });

async function openApp(options: Parameters<typeof fakeBridge>[0] = {}) {
  const bridge = fakeBridge(options);
  const { capture } = fakeCapture();
  const app = createAppContext({ bridge: bridge.bridge, capture, now: () => 0 });
  await flushPromises();
  bridge.asked.length = 0;
  return { ...app, ...bridge, replay: app.actions.replay };
}

describe('the replay actions', () => {
  it('show a replay over the current screen, play it, and return to that screen', async () => {
    const { store, replay, names, notice, actions } = await openApp();
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
    const { store, replay, names, notice } = await openApp({ works: false });
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
    const { store, actions, notice } = await openApp();
    notice(changed({ kind: 'opening', origin: voice }));
    actions.go('settings');
    notice(changed(sampleReplay));
    expect(store.getState().screen).toBe('settings');
    notice(changed({ kind: 'none' }));
    expect(store.getState().screen).toBe('settings');
  });

  it('seek to the newest target after a pending seek', async () => {
    let resolveSeek: () => void = () => undefined;
    const until: { seekReplay?: Promise<void> } = {
      seekReplay: new Promise((resolve) => {
        resolveSeek = resolve;
      }),
    };
    const { replay, notice, asked } = await openApp({ until });
    notice(changed(sampleReplay));
    const done = [replay.seek(1000), replay.seek(2000), replay.seek(3000.4)];
    await flushPromises();
    expect(asked).toEqual([{ name: 'seekReplay', input: { at: 1000 } }]);
    delete until.seekReplay;
    resolveSeek();
    await Promise.all(done);
    expect(asked.map(({ input }) => input)).toEqual([{ at: 1000 }, { at: 3000 }]);
  });

  it('seek relative to a pending seek, within both ends', async () => {
    const { replay, notice, asked } = await openApp();
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
    const { replay, notice, asked } = await openApp();
    notice(changed(sampleReplay));
    await replay.speedBy(1);
    await replay.speedBy(-1);
    notice({ name: 'replayPlay', payload: { ...sampleReplay.play, speed: 8 } });
    await replay.speedBy(1);
    expect(asked.map(({ input }) => input)).toEqual([{ speed: 1.25 }, { speed: 0.75 }]);
  });
});
