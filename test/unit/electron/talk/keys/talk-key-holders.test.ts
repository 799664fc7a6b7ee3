import { flushPromises } from '../../../../fakes/promises.ts';
import { beforeEach, describe, expect, it, afterEach } from 'vitest';
import { endedByUser } from '../conversation-harness.ts';
import { noPage, OpenPage } from '../../../../../shared/ipc/page.ts';
import type { PushToTalkMode } from '../../../../../shared/talk/talk-view.ts';
import { TalkControllerHarness } from '../talk-controller-harness.ts';
import { GlobalKeyController } from '../../../../../electron/talk/keys/global-key-controller.ts';
import { FakeKeyBackend } from '../../../../fakes/fake-key-backend.ts';

describe('the holders of the talk key', () => {
  let harness: TalkControllerHarness;
  let page: OpenPage;
  let other: OpenPage;

  beforeEach(() => {
    harness = new TalkControllerHarness();
    page = new OpenPage();
    other = new OpenPage();
  });

  async function talking(mode: PushToTalkMode): Promise<void> {
    harness.settings.change({ talking: { mode } });
    await harness.live();
  }

  function key(key: 'press' | 'release' | 'lost' | 'toggle', from = page): void {
    void harness.controller.handlers.talkKey({ key }, from);
  }

  const open = (): boolean => harness.controller.view.controls.transmitting;
  const troubleCodes = (): readonly string[] =>
    harness.posted('talkTrouble').map(({ code }) => code);

  describe('a microphone that a key holds open', () => {
    it.each([
      ['a page that closes', () => page.gone(), 'talkKeyLost'],
      ['a locked screen', () => harness.systemSleep.lock(), 'talkKeyLocked'],
      ['a machine that goes to sleep', () => harness.systemSleep.suspend(), 'talkKeyLocked'],
      ['a lost keyboard focus', () => key('lost'), 'talkKeyAway'],
      ['three minutes', () => harness.clock.advance(180_000), 'talkKeyHeld'],
    ] as const)('is closed by %s, and the user sees why', async (_name, happens, code) => {
      await talking('hold');
      key('press');
      expect(open()).toBe(true);
      happens();
      expect([open(), troubleCodes()]).toEqual([false, [code]]);
      // A late release changes nothing.
      key('release');
      harness.clock.advance(600_000);
      expect([open(), troubleCodes()]).toEqual([false, [code]]);
    });

    it('is closed at once if the page that holds the key has already closed', async () => {
      await talking('hold');
      page.gone();
      key('press');
      expect([open(), troubleCodes()]).toEqual([false, ['talkKeyLost']]);
    });

    it('is muted by the cough key only as long as the page is open', async () => {
      const cough = (muted: boolean, from = page): void =>
        void harness.controller.handlers.setCoughMuted({ muted }, from);
      const isMuted = (): boolean => harness.controller.view.controls.coughMuted;
      await talking('open');
      cough(true);
      expect(isMuted()).toBe(true);
      page.gone();
      expect(isMuted()).toBe(false);
      cough(true, other);
      cough(false, other);
      cough(true, new OpenPage());
      other.gone();
      expect(isMuted()).toBe(true);
    });

    it('gets a new time limit after a release', async () => {
      await talking('hold');
      key('press');
      harness.clock.advance(170_000);
      key('release');
      harness.clock.advance(1000);
      key('press');
      harness.clock.advance(170_000);
      expect([open(), troubleCodes()]).toEqual([true, []]);
      key('release');
      harness.clock.advance(100);
      expect(open()).toBe(false);
    });

    it('is closed by the time limit also if a command pressed the key', async () => {
      await talking('holdOrTap');
      void harness.controller.handlers.talkKey({ key: 'press' }, noPage);
      harness.clock.advance(180_000);
      expect([open(), troubleCodes()]).toEqual([false, ['talkKeyHeld']]);
    });
  });

  describe('a microphone that is open without a held key', () => {
    it.each([
      ['open', (): void => undefined],
      ['tap', (): void => key('press')],
      ['tap', (): void => key('toggle')],
      ['holdOrTap', (): void => key('toggle')],
    ] as const)(
      'stays open in %s although the screen locks or the page closes',
      async (mode, begin) => {
        await talking(mode);
        begin();
        expect(open()).toBe(true);
        harness.systemSleep.lock();
        page.gone();
        harness.clock.advance(600_000);
        expect([open(), troubleCodes()]).toEqual([true, []]);
      },
    );
  });

  describe('two holders of the key', () => {
    it('keep it open while one of them is known to hold the key', async () => {
      await talking('hold');
      key('press');
      key('press', other);
      key('lost');
      expect([open(), troubleCodes()]).toEqual([true, []]);
      other.gone();
      expect([open(), troubleCodes()]).toEqual([false, ['talkKeyLost']]);
    });

    it('share the time limit of the first', async () => {
      await talking('hold');
      key('press');
      key('press', other);
      key('lost');
      harness.clock.advance(180_000);
      expect([open(), troubleCodes()]).toEqual([false, ['talkKeyHeld']]);
    });

    it('are not carried over to the next talk', async () => {
      await talking('hold');
      key('press');
      harness.session.close(endedByUser);
      await harness.live();
      expect(open()).toBe(false);
      key('press', other);
      key('lost', other);
      expect([open(), troubleCodes()]).toEqual([false, ['talkKeyAway']]);
      page.gone();
      expect(troubleCodes()).toEqual(['talkKeyAway']);
    });
  });
});

describe('the global key in a talk', () => {
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
    await flushPromises();
  }

  /** Speaks in blocks; returns the voiced samples that reach the server. */
  function speak(blocks = 10): number {
    const before = harness.session.heard.length;
    for (let n = 0; n < blocks; n += 1)
      harness.devices.microphone.hear(new Float32Array(320).fill(0.5));
    return harness.session.heard.slice(before).filter((sample) => Math.abs(sample) > 0.4).length;
  }

  const troubleCodes = (): readonly string[] =>
    harness.posted('talkTrouble').map(({ code }) => code);
  const open = (): boolean => harness.controller.view.controls.passing;

  describe('a key held in another program', () => {
    it('opens the talk’s microphone with a press, and closes it with the release', async () => {
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

    it('counts one press if the window sees it too', async () => {
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
    ])('%s closes the microphone, and the user sees why', async (_name, happens) => {
      await live('hold');
      hook.key('press');
      speak(1);
      expect(open()).toBe(true);
      happens();
      expect([open(), troubleCodes()]).toEqual([false, ['talkKeyLost']]);
      // Only the last 60 ms from before the loss are still sent.
      expect(speak()).toBeLessThan(0.065 * 16_000);
      expect(speak()).toBe(0);
    });
  });
});
