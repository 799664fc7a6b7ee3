import type { OrderedBridge } from '../../bridge/ordered-bridge.ts';
import type { OwnSoundWay } from '../../../shared/sound/own-sound.ts';
import { ownSoundField } from './settings-ui-state.ts';
import type { SettingsActionContext } from './settings-action-context.ts';

/** The sound devices outside a talk: listed, metered, tested. */
export function createSoundActions(
  bridge: OrderedBridge,
  { settingsUi, change, setField, ask }: SettingsActionContext,
) {
  /** One's own sound: so many recordings were asked for, and so many of them nobody waits for any more. */
  let [recordings, left] = [0, 0];
  const wanted = (): boolean => settingsUi().meter !== undefined;

  /** One request after the other: who leaves may do so while the microphone is still being opened. */
  const followMeter = async (): Promise<void> => {
    if (settingsUi().busy.includes('meter')) return;
    const on = wanted();
    const answer = await ask('meter', () => bridge.request('meterMicrophone', { on }));
    if (wanted() !== on) await followMeter();
    else if (answer === undefined) change({ meter: undefined });
  };
  return {
    readDevices: async () => {
      await ask('devices', () =>
        bridge.read('soundDevices', (devices) => {
          change({ devices });
        }),
      );
    },
    /** The list follows what comes and goes; what cannot be told is seen when it is opened anew. */
    watchDevices: (on: boolean) => bridge.request('watchSoundDevices', { on }),
    setMeter: async (on: boolean) => {
      if (on === wanted()) return;
      change({ meter: on ? {} : undefined });
      await followMeter();
    },
    /** With the connection the core closes what it has opened for this page. */
    dropMeter: () => {
      if (wanted()) change({ meter: undefined });
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
      if (number <= left) setField('ownSound', undefined);
      else if (answer !== undefined) change({ ownSound: answer.value });
    },
    playOwnSound: async (as: OwnSoundWay) => {
      await ask(ownSoundField(as), () => bridge.request('playOwnSound', { as }));
    },
    /** Who leaves the page has nothing kept of what they said. */
    forgetOwnSound: async () => {
      const { ownSound, busy } = settingsUi();
      if (ownSound === undefined && !busy.includes('ownSound')) return;
      left = recordings;
      change({ ownSound: undefined });
      await bridge.request('forgetOwnSound', undefined);
    },
  };
}
