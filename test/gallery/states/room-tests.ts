import type { RoomTestUi } from '../../../renderer/settings/settings-ui-state.ts';
import type { RoomJudgement } from '../../../shared/audio/sound-tests.ts';
import { appError } from '../../../shared/errors/app-error.ts';
import type { GalleryState } from '../gallery-state.ts';
import { sampleDevices, section } from '../sample-settings.ts';

const tried = (roomTest: RoomTestUi) => section('audio', { devices: sampleDevices, roomTest });

const good: RoomJudgement = {
  noiseDb: -62.3,
  echo: {
    delayMs: 48.2,
    echoAboveNoiseDb: 14.4,
    medianCancelledDb: 31,
    worstCancelledDb: 18.2,
    residualAboveNoiseDb: 2,
  },
  person: { attenuationDb: 1.2 },
  isClipped: false,
};

const poor: RoomJudgement = {
  noiseDb: -40,
  echo: {
    delayMs: 312,
    echoAboveNoiseDb: 22,
    medianCancelledDb: 8,
    worstCancelledDb: 1.3,
    residualAboveNoiseDb: 14,
  },
  person: { attenuationDb: 8.4 },
  isClipped: true,
};

export const roomStates: Readonly<Record<string, GalleryState>> = {
  'settings-sound-room-explained': tried({ step: 'explained' }),
  'settings-sound-room-listening': tried({ step: 'alone', ms: 7400, at: -3200 }),
  'settings-sound-room-ready': tried({ step: 'ready', ms: undefined, at: 0 }),
  'settings-sound-room-speaking': {
    ...tried({ step: 'over', ms: 7400, at: -5000 }),
    metered: { rmsDb: -20, peakDb: -9 },
  },
  'settings-sound-room-judged': tried({ step: 'judged', found: good }),
  'settings-sound-room-poor': tried({ step: 'judged', found: poor }),
  'settings-sound-room-headset': tried({
    step: 'judged',
    found: { noiseDb: -66, echo: undefined, person: undefined, isClipped: false },
  }),
  'settings-sound-room-mute': tried({ step: 'judged', found: 'mute' }),
  'settings-sound-room-kept': tried({
    step: 'kept',
    where: { kind: 'folder', path: '/home/someone/Documents/rooms' },
  }),
  'settings-sound-room-stopped': section('audio', {
    devices: sampleDevices,
    fields: { roomTest: { problem: appError('testStopped') } },
  }),
  'settings-sound-room-cancelled': tried({ step: 'closed', why: 'stopped' }),
};
