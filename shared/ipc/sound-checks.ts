import { z } from 'zod';
import type { SoundRequests } from './sound-contract.ts';

type Checks = {
  readonly [Name in keyof SoundRequests]: z.ZodType<SoundRequests[Name]['input']>;
};

export const soundChecks: Checks = {
  soundDevices: z.undefined(),
  watchSoundDevices: z.strictObject({ on: z.boolean() }),
  testSound: z.undefined(),
  meterMicrophone: z.strictObject({ on: z.boolean() }),
};
