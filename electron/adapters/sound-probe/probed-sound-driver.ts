import type { SoundDriver } from '../../ports/sound.ts';
import type { SoundProbe } from './sound-probe.ts';

/** The same sound, but nothing of it is touched before the probe has come back alive. */
export function probedSoundDriver(driver: SoundDriver, probe: SoundProbe): SoundDriver {
  return {
    systemMovesStreams: driver.systemMovesStreams,
    devices: async () => {
      const allowed = await probe.ask();
      return allowed.ok ? driver.devices() : allowed;
    },
    openSpeaker: async (device, rate) => {
      const allowed = await probe.ask();
      return allowed.ok ? driver.openSpeaker(device, rate) : allowed;
    },
    openMicrophone: async (device, rate, listener) => {
      const allowed = await probe.ask();
      return allowed.ok ? driver.openMicrophone(device, rate, listener) : allowed;
    },
  };
}
