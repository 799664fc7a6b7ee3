import { describe, expect, it } from 'vitest';
import { createAppContext } from '../../../../renderer/app/app-context.ts';
import type { Notice } from '../../../../shared/ipc/contract.ts';
import type { ReplayView } from '../../../../shared/recordings/replay-view.ts';
import { fakeBridge, fakeCapture } from '../../../fakes/fake-bridge.ts';
import { flushPromises } from '../../../fakes/flush-promises.ts';
import { sampleReplay } from './sample-replay.ts';

const voice = { kind: 'example', example: 'voice' } as const;
const changed = (payload: ReplayView): Notice => ({ name: 'replayChanged', payload });

async function open(options: Parameters<typeof fakeBridge>[0] = {}) {
  const other = fakeBridge(options);
  const { capture } = fakeCapture();
  const app = createAppContext({ bridge: other.bridge, capture, now: () => 0 });
  await flushPromises();
  other.asked.length = 0;
  return { ...app, ...other, replay: app.actions.replay };
}

describe('what a person does with a replay', () => {
  it('shows it over the place where they are, plays it, and leads back there', async () => {
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

  it('says in its place what could not be opened, and plays nothing', async () => {
    const { store, replay, names, notice } = await open({ works: false });
    const opening = replay.open(voice);
    // As the core tells of it, before it answers.
    notice(changed({ kind: 'none' }));
    await opening;
    expect(store.getState()).toMatchObject({
      screen: 'replay',
      replay: { kind: 'failed', origin: voice, error: { code: 'noTalk' } },
    });
    expect(names()).toEqual(['openReplay']);
  });

  it('leaves whoever has gone elsewhere meanwhile where they are', async () => {
    const { store, actions, notice } = await open();
    notice(changed({ kind: 'opening', origin: voice }));
    actions.go('settings');
    notice(changed(sampleReplay));
    expect(store.getState().screen).toBe('settings');
    notice(changed({ kind: 'none' }));
    expect(store.getState().screen).toBe('settings');
  });

  it('goes to the newest of what a hand wished while the core was on its way', async () => {
    let arrive: () => void = () => undefined;
    const until: { seekReplay?: Promise<void> } = {
      seekReplay: new Promise((resolve) => {
        arrive = resolve;
      }),
    };
    const { replay, notice, asked } = await open({ until });
    notice(changed(sampleReplay));
    const done = [replay.seek(1000), replay.seek(2000), replay.seek(3000.4)];
    await flushPromises();
    expect(asked).toEqual([{ name: 'seekReplay', input: { at: 1000 } }]);
    delete until.seekReplay;
    arrive();
    await Promise.all(done);
    expect(asked.map(({ input }) => input)).toEqual([{ at: 1000 }, { at: 3000 }]);
  });

  it('steps from where it is about to be, and not over either end', async () => {
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

  it('goes faster and slower by a step, and not beyond the fastest', async () => {
    const { replay, notice, asked } = await open();
    notice(changed(sampleReplay));
    await replay.speedBy(1);
    await replay.speedBy(-1);
    notice({ name: 'replayPlay', payload: { ...sampleReplay.play, speed: 8 } });
    await replay.speedBy(1);
    expect(asked.map(({ input }) => input)).toEqual([{ speed: 1.25 }, { speed: 0.75 }]);
  });
});
