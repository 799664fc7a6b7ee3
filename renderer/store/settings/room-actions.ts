import type { OrderedBridge } from '../../bridge/ordered-bridge.ts';
import { startDownload } from '../../bridge/start-download.ts';
import type { SettingsActionContext } from './settings-action-context.ts';
import { isRoomTried } from './settings-ui-state.ts';
import type { RoomTestUi } from './settings-ui-state.ts';

const field = 'roomTest';

/** What a person can do to try their room, and with what was recorded there. */
export function createRoomActions(
  bridge: OrderedBridge,
  { settingsUi, change, setField, ask }: SettingsActionContext,
) {
  /** What comes of an earlier test is for nobody. */
  let tests = 0;
  const show = (roomTest: RoomTestUi | undefined): void => {
    change({ roomTest });
    setField(field, undefined);
  };
  /** In the middle of it, or what it has recorded. */
  const forget = async (): Promise<void> => {
    const { roomTest } = settingsUi();
    if (!isRoomTried(roomTest) && roomTest?.step !== 'judged') return;
    tests += 1;
    await bridge.request('forgetRoom', undefined);
  };
  return {
    explain: () => {
      show({ step: 'explained' });
    },
    begin: async (): Promise<void> => {
      tests += 1;
      const mine = tests;
      show({ step: 'opening' });
      const reply = await bridge.request('testRoom', undefined);
      if (mine !== tests) return;
      if (reply.ok) show({ step: 'judged', found: reply.value });
      else {
        show(undefined);
        setField(field, { problem: reply.error });
      }
    },
    ready: () => bridge.request('speakInRoom', undefined),
    cancel: async (): Promise<void> => {
      const forgotten = forget();
      const { roomTest } = settingsUi();
      show(isRoomTried(roomTest) ? { step: 'closed', why: 'stopped' } : undefined);
      await forgotten;
    },
    throwAway: async (): Promise<void> => {
      const forgotten = forget();
      show({ step: 'closed', why: 'thrownAway' });
      await forgotten;
    },
    /** Asks where; nothing has changed where the person thought better of it. */
    keep: async (): Promise<void> => {
      const mine = tests;
      const kept = await ask(field, () => bridge.request('keepRoom', undefined));
      if (kept?.value.kind === 'download') startDownload(kept.value.href, kept.value.name);
      if (mine !== tests || kept === undefined || kept.value.kind === 'unplaced') return;
      show({ step: 'kept', where: kept.value });
    },
    showFolder: () => ask(field, () => bridge.request('showSaved', undefined)),
    /** Nobody waits for it any more, and nothing is said. */
    leave: async (): Promise<void> => {
      if (settingsUi().roomTest === undefined) return;
      const forgotten = forget();
      show(undefined);
      await forgotten;
    },
  };
}
