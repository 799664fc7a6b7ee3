import type { Bridge } from '../bridge/bridge.ts';
import type { RoomWork } from './room-work.ts';

/** The sound devices outside a talk: listed, metered, tested. */
export function createSoundActions(bridge: Bridge, { room, change, ask }: RoomWork) {
  return {
    readDevices: async () => {
      const answer = await ask('devices', () => bridge.request('soundDevices', undefined));
      if (answer !== undefined) change({ devices: answer.value });
    },
    /** The list follows what comes and goes; what cannot be told is seen when it is opened anew. */
    followDevices: (on: boolean) => bridge.request('watchSoundDevices', { on }),
    setMeter: async (on: boolean) => {
      const answer = await ask('meter', () => bridge.request('meterMicrophone', { on }));
      if (answer !== undefined) change({ meter: on ? (room().meter ?? {}) : undefined });
    },
    testSound: async () => {
      change({ soundTest: undefined });
      const answer = await ask('soundTest', () => bridge.request('testSound', undefined));
      if (answer !== undefined) change({ soundTest: answer.value });
    },
  };
}
