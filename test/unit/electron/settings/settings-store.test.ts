import { describe, expect, it } from 'vitest';
import { failure } from '../../../../shared/errors/app-error.ts';
import { defaultSettings } from '../../../../shared/settings/settings.ts';
import { parley } from './servers/settings-store-stage.ts';

describe('the settings', () => {
  it('are the defaults if there is no file, and are not read before the first use', async () => {
    const { get, settled, disk, file, problems } = parley();
    file.readFailure = failure('noPermission', { path: 'settings.json' });
    await settled();
    file.readFailure = undefined;
    expect(get()).toEqual(defaultSettings);
    await settled();
    expect([disk.size, file.writes, problems()]).toEqual([0, 0, []]);
  });

  it('are restored after a restart', async () => {
    const first = parley();
    expect(first.change({ appearance: { theme: 'dark' } }).ok).toBe(true);
    await first.settled();
    expect(parley(first.disk).get().appearance.theme).toBe('dark');
    expect(first.stored()?.['version']).toBe(3);
  });

  it('are emitted to listeners until they unsubscribe', () => {
    const { change, get, listen } = parley();
    const heard: number[] = [];
    const stop = listen((event) => {
      if (event.kind === 'changed')
        heard.push(event.before.captions.size, event.settings.captions.size);
    });
    change({ captions: { size: 30 } });
    stop();
    change({ captions: { size: 31 } });
    expect([heard, get().captions.size]).toEqual([[28, 30], 31]);
  });

  it('are written once for many changes, and soon even during endless changes', async () => {
    const { change, pass, file, stored } = parley();
    for (let step = 0; step < 50; step += 1) {
      change({ audio: { playbackVolume: step / 100 } });
      await pass(20);
    }
    expect(file.writes).toBe(3);
    await pass(1000);
    expect([file.writes, stored()?.['audio']]).toMatchObject([4, { playbackVolume: 0.49 }]);
  });

  it('are not written without a difference', async () => {
    const { change, settled, file, changes } = parley();
    expect(change({ captions: { size: 28 } }).ok).toBe(true);
    await settled();
    expect([file.writes, changes()]).toEqual([0, 0]);
  });

  it('stay unchanged if a change is refused', async () => {
    const { change, get, settled, file } = parley();
    const refused = change({ captions: { size: 3 }, vision: { rate: 2 } });
    expect(refused).toMatchObject({
      ok: false,
      error: { code: 'settingNotAllowed', facts: { place: 'captions.size' } },
    });
    await settled();
    expect([get(), file.writes]).toEqual([defaultSettings, 0]);
  });

  it('are reset by group', () => {
    const { change, reset, get } = parley();
    change({ captions: { size: 40 }, assistant: { generation: { topK: 3 } } });
    expect(reset('assistant').ok).toBe(true);
    expect([get().assistant, get().captions.size]).toEqual([defaultSettings.assistant, 40]);
  });
});

describe('two Parleys on one machine', () => {
  it('keep each other’s changes, and emit them', async () => {
    const disk = new Map<string, string>();
    const [one, two] = [parley(disk), parley(disk)];
    one.get();
    two.get();
    one.change({ captions: { size: 30 } });
    two.change({ vision: { slices: 4 } });
    await one.settled();
    await two.settled();
    expect(one.stored()).toMatchObject({ captions: { size: 30 }, vision: { slices: 4 } });
    expect(two.get().captions.size).toBe(30);
    one.change({ appearance: { theme: 'dark' } });
    expect([one.get().vision.slices, one.changes()]).toEqual([4, 3]);
  });

  it('ignore a file that the other has damaged', async () => {
    const { change, disk, settled, stored } = parley();
    change({ captions: { size: 30 } });
    await settled();
    disk.set('settings.json', '{"capt');
    change({ vision: { slices: 4 } });
    await settled();
    expect(stored()).toMatchObject({ captions: { size: 30 }, vision: { slices: 4 } });
  });

  it('keep a change after a failed write', async () => {
    const disk = new Map<string, string>();
    const [one, two] = [parley(disk), parley(disk)];
    one.file.writeFailure = failure('diskFull', { path: 'settings.json' });
    one.change({ captions: { size: 30 } });
    await one.settled();
    two.change({ vision: { slices: 4 } });
    await two.settled();
    one.file.writeFailure = undefined;
    one.file.whileWriting = () => {
      one.file.whileWriting = undefined;
      disk.set('settings.json', '{"appearance": {"theme": "dark"}}');
      one.change({ audio: { inputVolume: 2 } });
    };
    await one.settled();
    await one.settled();
    expect(one.stored()).toMatchObject({ captions: { size: 30 }, audio: { inputVolume: 2 } });
    expect(one.get().captions.size).toBe(30);
  });

  it('do not bring back a value that the other has replaced', async () => {
    const disk = new Map<string, string>();
    const [one, two] = [parley(disk), parley(disk)];
    one.change({ captions: { size: 30 } });
    await one.settled();
    two.change({ captions: { size: 31 } });
    await two.settled();
    one.change({ vision: { slices: 4 } });
    expect(one.get().captions.size).toBe(31);
  });

  it('keep a change made during a write even if the other writes next', async () => {
    const { change, file, disk, get, pass, settled } = parley();
    file.whileWriting = () => {
      file.whileWriting = undefined;
      change({ vision: { slices: 4 } });
    };
    change({ captions: { size: 30 } });
    await pass(300);
    disk.set('settings.json', '{"appearance": {"theme": "dark"}}');
    await settled();
    expect([get().vision.slices, get().appearance.theme]).toEqual([4, 'dark']);
  });

  it('keep a change made during a write', async () => {
    const { change, file, settled, stored, pass } = parley();
    file.whileWriting = () => {
      file.whileWriting = undefined;
      change({ vision: { slices: 4 } });
    };
    change({ captions: { size: 30 } });
    await pass(300);
    await settled();
    expect(stored()).toMatchObject({ captions: { size: 30 }, vision: { slices: 4 } });
  });
});
