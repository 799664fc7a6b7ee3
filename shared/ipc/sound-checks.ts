import { z } from 'zod';
import { ownSoundWays } from '../sound/own-sound.ts';
import type { RoomRequests, SoundRequests } from './sound-contract.ts';

type Checked = SoundRequests & RoomRequests;

type Checks = {
  readonly [Name in keyof Checked]: z.ZodType<Checked[Name]['input']>;
};

export const soundChecks: Checks = {
  soundDevices: z.undefined(),
  watchSoundDevices: z.strictObject({ on: z.boolean() }),
  testSound: z.undefined(),
  recordOwnSound: z.undefined(),
  playOwnSound: z.strictObject({ as: z.enum(ownSoundWays) }),
  forgetOwnSound: z.undefined(),
  testRoom: z.undefined(),
  speakInRoom: z.undefined(),
  keepRoom: z.undefined(),
  forgetRoom: z.undefined(),
  meterMicrophone: z.strictObject({ on: z.boolean() }),
};
