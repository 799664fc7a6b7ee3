import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { forkChild, soundProbeEntry } from '../../electron/hosts/fork-child.ts';
import { SoundProbe } from '../../electron/platform/portaudio/sound-probe.ts';
import { FakeLog } from '../fakes/fake-log.ts';
import { workFolder } from '../fakes/work-folder.ts';

const built = resolve(import.meta.dirname, '../../out/main/probe-sound.js');

describe('the process that asks for the sound devices first', { timeout: 30_000 }, () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it('comes back alive from a sound system that answers, or that has nothing', async () => {
    if (!existsSync(built)) throw new Error(`${built} is missing: npm run check builds it.`);
    const log = new FakeLog();
    const probe = new SoundProbe(forkChild({ ...soundProbeEntry, file: built }), log);
    expect(await probe.ask()).toEqual({ ok: true, value: undefined });
    expect(log.lines).toEqual([]);
  });

  it('dies in our place of PortAudio’s own assertion, and says its last words', async ({
    skip,
  }) => {
    if (process.platform !== 'linux') skip('only ALSA can be led to nothing by its environment');
    // What an account that may not read the configuration of another one sees, as any account.
    const nothing = workFolder()('asound.conf');
    await writeFile(nothing, '');
    vi.stubEnv('ALSA_CONFIG_PATH', nothing);
    const log = new FakeLog();
    const probe = new SoundProbe(forkChild({ ...soundProbeEntry, file: built }), log);
    expect(await probe.ask()).toMatchObject({
      ok: false,
      error: {
        code: 'soundCrashes',
        detail: expect.stringContaining('BuildDeviceList: Assertion') as string,
      },
    });
  });

  it('that is not there forbids nothing', async () => {
    const log = new FakeLog();
    const probe = new SoundProbe(forkChild({ ...soundProbeEntry, file: `${built}.missing` }), log);
    expect(await probe.ask()).toEqual({ ok: true, value: undefined });
    expect(log.lines.join()).toContain('without a trial');
  });
});
