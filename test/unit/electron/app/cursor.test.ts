import { afterEach, beforeEach, expect, it } from 'vitest';
import type { SettingsPatch } from '../../../../shared/settings/settings.ts';
import { coreWithFakes } from '../../../fakes/core-with-fakes.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { FakePrograms } from '../../../fakes/fake-programs.ts';
import { workFolder } from '../../../fakes/work-folder.ts';

let core: ReturnType<typeof coreWithFakes>;
let clock: FakeClock;
let prepared: number;

beforeEach(() => {
  clock = new FakeClock();
  prepared = 0;
  core = coreWithFakes(workFolder()('state'), clock, {
    cursor: {
      programs: new FakePrograms(),
      window: {
        prepare: () => {
          prepared += 1;
        },
        show: () => undefined,
        hide: () => undefined,
        pageReady: () => undefined,
        hasFocus: () => true,
      },
      regionWindow: { open: () => undefined, show: () => undefined, close: () => undefined },
      captureScreen: () => Promise.resolve({ ok: true, value: Uint8Array.of(1) }),
    },
  });
  core.begin();
});

afterEach(() => core.lifetime.end());

const change = (cursor: SettingsPatch['cursor']) => core.settings.change({ cursor });

it('the small window is not created while no key opens it', () => {
  clock.advance(60_000);
  change({ enabled: true, askKey: 'none', dictateKey: 'none' });
  clock.advance(60_000);
  expect(prepared).toBe(0);
});

it('the small window is created five seconds after a key is set', () => {
  change({ enabled: true });
  clock.advance(4000);
  expect(prepared).toBe(0);
  clock.advance(1000);
  expect(prepared).toBe(1);
});

it('a new dictation key loads the sound system, but opens no device', () => {
  change({ enabled: true, dictateKey: 'none' });
  expect(core.deviceLists()).toBe(0);
  change({ dictateKey: 'Control+Alt+KeyD' });
  change({ askKey: 'none' });
  expect([core.deviceLists(), core.devices.open]).toEqual([1, []]);
});
