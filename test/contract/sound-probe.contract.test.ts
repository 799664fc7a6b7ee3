import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { forkChild, soundProbeEntry } from '../../electron/hosts/fork-child.ts';
import { SoundProbe } from '../../electron/platform/portaudio/sound-probe.ts';
import { done } from '../../shared/errors/app-error.ts';
import { FakeLog } from '../fakes/fake-log.ts';
import { workFolder } from '../fakes/work-folder.ts';

const built = resolve(import.meta.dirname, '../../out/main/probe-sound.js');

describe('the sound probe', { timeout: 30_000 }, () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it('allows sound if the sound system answers', async () => {
    if (!existsSync(built)) throw new Error(`${built} is missing: npm test builds it.`);
    const log = new FakeLog();
    const probe = new SoundProbe(forkChild({ ...soundProbeEntry, file: built }), log);
    expect(await probe.ask()).toEqual(done);
    expect(log.lines).toEqual([]);
  });

  it('crashes instead of the app, and reports its last output', async ({ skip }) => {
    if (process.platform !== 'linux') skip('only ALSA reads its configuration from a variable');
    // PortAudio finds no devices, as in an account that cannot read ALSA’s configuration.
    const emptyFile = workFolder()('asound.conf');
    await writeFile(emptyFile, '');
    vi.stubEnv('ALSA_CONFIG_PATH', emptyFile);
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

  it('allows sound if it cannot start', async () => {
    const log = new FakeLog();
    const probe = new SoundProbe(forkChild({ ...soundProbeEntry, file: `${built}.missing` }), log);
    expect(await probe.ask()).toEqual(done);
    expect(log.lines.join()).toContain('without a probe');
  });
});
