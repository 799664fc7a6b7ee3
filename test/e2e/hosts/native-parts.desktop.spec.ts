import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { NativeSound } from '../../../electron/platform/portaudio/portaudio-addon.ts';
import { expect, test } from '../fixtures/host-test.ts';
import { putTalk } from '../fixtures/running-host.ts';

test('the sound addon plays and captures inside Electron', async ({ electron }) => {
  const outcome = await electron.evaluate(async ({ app }) => {
    const { createRequire } = process.getBuiltinModule('node:module');
    const load = createRequire(`${app.getAppPath()}/package.json`);
    load('naudiodon');
    const sound = load('parley-sound') as NativeSound;
    // Uses the last copy of PortAudio, because naudiodon uses the first one.
    const devices = await sound.initialize(sound.copies - 1);
    const device = devices.find(({ defaultOutput }) => defaultOutput === 1);
    if (device === undefined) return 'no device';
    const plan = { copy: sound.copies - 1, device: device.index, channels: 1, latency: 0.02 };
    const speaker = await sound.openSpeaker({
      ...plan,
      rate: 24_000,
      framesPerBuffer: 240,
      ringSamples: 48_000,
    });
    let blocks = 0;
    const microphone = await sound.openMicrophone(
      { ...plan, rate: 16_000, framesPerBuffer: 160, ringSamples: 64_000 },
      320,
      () => (blocks += 1),
    );
    sound.write(speaker, new Float32Array(12_000));
    const counters = new Float64Array(13);
    // A sleeping sound card may take a second to wake up, and longer on a busy machine.
    for (let tries = 0; tries < 400; tries += 1) {
      if (counters[4] === 12_000 && blocks >= 20) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
      sound.readCounters(speaker, counters);
    }
    await Promise.all([sound.close(speaker), sound.close(microphone)]);
    return { played: counters[4], hears: blocks >= 20 };
  });
  test.skip(outcome === 'no device', 'there is no sound device');
  expect(outcome).toEqual({ played: 12_000, hears: true });
});

test('stored talks are listed and found through the index in Electron', async ({ start, home }) => {
  const words = '谁知道黄河的源头在哪里？';
  const id = await putTalk(home, { turns: [{ by: 'parley', at: 10, text: words, heard: 4 }] });
  const { page } = await start();
  const part = { skip: 0, count: 10, filter: {} };
  await expect
    .poll(() => page.evaluate((input) => window.parley?.request('history', input), part))
    .toMatchObject({ value: { entries: [{ id, ending: 'cut' }], complete: true } });
  const found = await page.evaluate((input) => window.parley?.request('searchHistory', input), {
    ...part,
    query: '黄河',
  });
  expect(found).toMatchObject({
    value: { entries: [{ place: { turn: 0, marks: [{ from: 3, to: 5 }] } }] },
  });
  expect(existsSync(join(home, 'state/history/index.db'))).toBe(true);
});
