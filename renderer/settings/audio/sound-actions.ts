import type { OwnSoundVersion } from '../../../shared/audio/sound-tests.ts';
import type { OrderedBridge } from '../../app/bridge/ordered-bridge.ts';
import { startDownload } from '../../export/export-store.ts';
import type { SettingsActionContext } from '../field-actions.ts';
import { isRoomTestRunning, ownSoundField, type RoomTestUi } from '../settings-ui-state.ts';

/** Actions for sound devices outside a talk. */
export function createSoundActions(
  bridge: OrderedBridge,
  { settingsUi, change, setField, ask }: SettingsActionContext,
) {
  /** The number of the last recording, and of the last one that the user left before it ended. */
  let [recordings, abandoned] = [0, 0];
  const isMeterOn = (): boolean => settingsUi().meter !== undefined;

  /** One request runs at a time. If the user has switched meanwhile, another follows. */
  const followMeter = async (): Promise<void> => {
    if (settingsUi().busy.includes('meter')) return;
    const on = isMeterOn();
    const answer = await ask('meter', () => bridge.request('meterMicrophone', { on }));
    if (isMeterOn() !== on) await followMeter();
    else if (answer === undefined) change({ meter: undefined });
  };
  return {
    readDevices: async () => {
      await ask('devices', () => bridge.read('soundDevices', (devices) => change({ devices })));
    },
    /** While a page watches, the core polls the devices and posts each change. */
    watchDevices: (on: boolean) => bridge.request('watchSoundDevices', { on }),
    setMeter: async (on: boolean) => {
      if (on === isMeterOn()) return;
      change({ meter: on ? {} : undefined });
      await followMeter();
    },
    /** The core closes its devices when the connection is lost. */
    dropMeter: () => {
      if (isMeterOn()) change({ meter: undefined });
    },
    testSound: async () => {
      change({ soundTest: undefined });
      const answer = await ask('soundTest', () => bridge.request('testSound', undefined));
      if (answer !== undefined) change({ soundTest: answer.value });
    },
    recordOwnSound: async () => {
      change({ ownSound: undefined });
      recordings += 1;
      const number = recordings;
      const answer = await ask('ownSound', () => bridge.request('recordOwnSound', undefined));
      if (number <= abandoned) setField('ownSound', undefined);
      else if (answer !== undefined) change({ ownSound: answer.value });
    },
    playOwnSound: async (version: OwnSoundVersion) => {
      await ask(ownSoundField(version), () => bridge.request('playOwnSound', { as: version }));
    },
    /** Leaving the page discards the recording. */
    forgetOwnSound: async () => {
      const { ownSound, busy } = settingsUi();
      if (ownSound === undefined && !busy.includes('ownSound')) return;
      abandoned = recordings;
      change({ ownSound: undefined });
      await bridge.request('forgetOwnSound', undefined);
    },
  };
}

const roomTestField = 'roomTest';

/** Actions of the room test. */
export function createRoomActions(
  bridge: OrderedBridge,
  { settingsUi, change, setField, ask }: SettingsActionContext,
) {
  /** Counts tests; results of earlier ones are ignored. */
  let tests = 0;
  const show = (roomTest: RoomTestUi | undefined): void => {
    change({ roomTest });
    setField(roomTestField, undefined);
  };
  /** Stops a running test or discards its recording. */
  const forget = async (): Promise<void> => {
    const { roomTest } = settingsUi();
    if (!isRoomTestRunning(roomTest) && roomTest?.step !== 'judged') return;
    tests += 1;
    await bridge.request('forgetRoom', undefined);
  };
  return {
    explain: () => show({ step: 'explained' }),
    begin: async (): Promise<void> => {
      tests += 1;
      const started = tests;
      show({ step: 'opening' });
      const reply = await bridge.request('testRoom', undefined);
      if (started !== tests) return;
      if (reply.ok) show({ step: 'judged', found: reply.value });
      else {
        show(undefined);
        setField(roomTestField, { problem: reply.error });
      }
    },
    ready: () => bridge.request('speakInRoom', undefined),
    cancel: async (): Promise<void> => {
      const done = forget();
      const { roomTest } = settingsUi();
      show(isRoomTestRunning(roomTest) ? { step: 'closed', why: 'stopped' } : undefined);
      await done;
    },
    discard: async (): Promise<void> => {
      const done = forget();
      show({ step: 'closed', why: 'thrownAway' });
      await done;
    },
    /** Asks for a destination; a cancelled dialog changes nothing. */
    keep: async (): Promise<void> => {
      const started = tests;
      const kept = await ask(roomTestField, () => bridge.request('keepRoom', undefined));
      if (kept?.value.kind === 'download') startDownload(kept.value.href, kept.value.name);
      if (started !== tests || kept === undefined || kept.value.kind === 'cancelled') return;
      show({ step: 'kept', where: kept.value });
    },
    showFolder: () => ask(roomTestField, () => bridge.request('showSaved', { of: 'roomTest' })),
    /** Stops silently when the user leaves the page. */
    leave: async (): Promise<void> => {
      if (settingsUi().roomTest === undefined) return;
      const done = forget();
      show(undefined);
      await done;
    },
  };
}
