import { SettingsStore } from '../../../../../electron/settings/settings-store.ts';
import { GlobalKeyController } from '../../../../../electron/talk/keys/global-key-controller.ts';
import type { TalkKeyHolders } from '../../../../../electron/talk/keys/talk-key-holders.ts';
import type { CursorKey } from '../../../../../shared/cursor/quick-view.ts';
import type { GlobalKeyView, TalkKeyEvent } from '../../../../../shared/talk/global-key.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { FakeKeyBackend } from '../../../../fakes/fake-key-backend.ts';
import { FakeStateFile } from '../../../../fakes/fake-state-file.ts';
import { settled } from '../manual-devices.ts';

/** The global key controller with three fake backends. */
export class GlobalKeyHarness {
  readonly clock = new FakeClock();
  readonly hook = new FakeKeyBackend('uiohook');
  readonly portal = new FakeKeyBackend('portal');
  readonly shortcut = new FakeKeyBackend('globalShortcut');
  readonly settings = new SettingsStore({ file: new FakeStateFile(), clock: this.clock });
  readonly posted: GlobalKeyView[] = [];
  readonly keys: string[] = [];
  readonly cursorKeys: (readonly [CursorKey, TalkKeyEvent])[] = [];
  // Not in the order of preference.
  controller = this.make([this.shortcut, this.hook, this.portal]);

  make(backends: readonly FakeKeyBackend[]): GlobalKeyController {
    const handle: TalkKeyHolders['handle'] = (_holder, key) => {
      this.keys.push(key);
      return { ok: true, value: undefined };
    };
    return new GlobalKeyController({
      backends,
      settings: this.settings,
      clock: this.clock,
      wallClock: () => 1_700_000_000_000,
      talkKey: { handle },
      onCursorKey: (...key) => this.cursorKeys.push(key),
      post: (_name, payload) => {
        this.posted.push(payload as GlobalKeyView);
      },
    });
  }

  async on(globalKey = 'Control+F8'): Promise<void> {
    this.controller.begin();
    this.settings.change({ talking: { everywhere: true, globalKey } });
    await settled();
  }
}
