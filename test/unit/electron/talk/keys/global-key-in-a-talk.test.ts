import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GlobalKeyController } from '../../../../../electron/talk/keys/global-key-controller.ts';
import { OpenPage } from '../../../../../shared/ipc/page.ts';
import { coreWithFakes } from '../../../../fakes/core-with-fakes.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { FakeKeyBackend } from '../../../../fakes/fake-key-backend.ts';
import { workFolder } from '../../../../fakes/work-folder.ts';
import { settled } from '../manual-devices.ts';
import { endedByUser } from '../conversation-harness.ts';
import { TalkControllerHarness } from '../talk-controller-harness.ts';

let harness: TalkControllerHarness;
let hook: FakeKeyBackend;
let globalKey: GlobalKeyController;

beforeEach(() => {
  harness = new TalkControllerHarness();
  hook = new FakeKeyBackend('uiohook');
  globalKey = new GlobalKeyController({
    backends: [hook],
    settings: harness.settings,
    clock: harness.clock,
    wallClock: () => 0,
    talkKey: harness.controller.talkKey,
    onCursorKey: () => undefined,
    post: (name, payload) => {
      harness.posts.push({ name, payload });
    },
  });
});
afterEach(() => globalKey.end());

async function live(mode: 'hold' | 'tap' | 'holdOrTap' | 'open'): Promise<void> {
  harness.settings.change({ talking: { mode, everywhere: true, globalKey: 'F8' } });
  globalKey.begin();
  await harness.live();
  await settled();
}

/** Speaks in blocks; returns the voiced samples that reach the server. */
function speak(blocks = 10): number {
  const before = harness.session.heard.length;
  for (let n = 0; n < blocks; n += 1)
    harness.devices.microphone.hear(new Float32Array(320).fill(0.5));
  return harness.session.heard.slice(before).filter((sample) => Math.abs(sample) > 0.4).length;
}

const troubleCodes = (): readonly string[] => harness.posted('talkTrouble').map(({ code }) => code);
const open = (): boolean => harness.controller.view.controls.passing;

describe('a key held in another program', () => {
  it("opens the talk's microphone, and closes it", async () => {
    await live('hold');
    expect(speak()).toBe(0);
    hook.key('press');
    expect(speak()).toBeGreaterThan(3000);
    expect(open()).toBe(true);
    hook.key('release');
    harness.clock.advance(40);
    expect(open()).toBe(false);
    // Speech from before the release is still on its way.
    speak();
    expect(speak()).toBe(0);
  });

  it('latches after a short press, and toggles if only presses are known', async () => {
    await live('holdOrTap');
    hook.key('press');
    harness.clock.advance(100);
    hook.key('release');
    harness.clock.advance(1000);
    speak(1);
    expect(open()).toBe(true);
    hook.key('toggle');
    expect(open()).toBe(false);
  });

  it('counts once if the window sees the same press', async () => {
    await live('hold');
    const page = new OpenPage();
    const inWindow = (key: 'press' | 'release'): void => {
      void harness.controller.handlers.talkKey({ key }, page);
    };
    hook.key('press');
    inWindow('press');
    speak(1);
    expect(open()).toBe(true);
    inWindow('release');
    hook.key('release');
    harness.clock.advance(1000);
    expect([open(), troubleCodes()]).toEqual([false, []]);
  });

  it.each([
    ['whose helper dies', (): void => hook.die()],
    ['whose state is unknown', (): void => hook.key('lost')],
    [
      'that is switched off',
      (): void => void harness.settings.change({ talking: { everywhere: false } }),
    ],
    ['while Parley quits', (): void => void globalKey.end()],
  ])('%s closes the microphone, and the user learns of it', async (_name, happens) => {
    await live('hold');
    hook.key('press');
    speak(1);
    expect(open()).toBe(true);
    happens();
    expect([open(), troubleCodes()]).toEqual([false, ['talkKeyLost']]);
    // The 45 ms spoken before.
    expect(speak()).toBeLessThan(0.05 * 16_000);
    expect(speak()).toBe(0);
  });

  it('opens nothing if it was held since before the talk', async () => {
    harness.settings.change({ talking: { mode: 'hold', everywhere: true, globalKey: 'F8' } });
    globalKey.begin();
    await settled();
    hook.key('press');
    await harness.live();
    expect(speak()).toBe(0);
    hook.key('release');
    harness.session.close(endedByUser);
    expect(troubleCodes()).toEqual([]);
  });
});

it('the core listens for the key that a page sets, until the core ends', async () => {
  const core = coreWithFakes(workFolder()('state'), new FakeClock(), { globalKeys: [hook] });
  try {
    core.begin();
    await core.ask('changeSettings', { talking: { everywhere: true, globalKey: 'F9' } });
    await core.settle();
    expect(hook.chord).toBe('F9');
    const testing = core.ask('testGlobalKey', undefined);
    await core.settle();
    hook.key('press');
    expect(await testing).toMatchObject({ arrived: true });
    expect(await core.ask('globalKey', undefined)).toMatchObject({
      state: { kind: 'active', method: 'uiohook' },
      seen: { event: 'press' },
    });
  } finally {
    await core.lifetime.end();
  }
  expect(hook.chord).toBeUndefined();
});
