import { z } from 'zod';
import { ownSoundWays } from '../sound/own-sound.ts';
import type { SoundRequests } from './sound-contract.ts';

type Checks = {
  readonly [Name in keyof SoundRequests]: z.ZodType<SoundRequests[Name]['input']>;
};

export const soundChecks: Checks = {
  soundDevices: z.undefined(),
  watchSoundDevices: z.strictObject({ on: z.boolean() }),
  testSound: z.undefined(),
  recordOwnSound: z.undefined(),
  playOwnSound: z.strictObject({ as: z.enum(ownSoundWays) }),
  forgetOwnSound: z.undefined(),
  meterMicrophone: z.strictObject({ on: z.boolean() }),
};
