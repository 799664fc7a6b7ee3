import { expect, it } from 'vitest';
import { findDevice } from '../../../../../electron/platform/portaudio/portaudio-driver.ts';
import { failure } from '../../../../../shared/errors/app-error.ts';

it.each(['default', { name: 'Headset' }] as const)(
  'a machine without any device has no sound server, for any choice (%j)',
  (choice) => {
    expect(findDevice([], 'input', choice)).toEqual(failure('soundServerGone'));
    expect(findDevice([], 'output', choice)).toEqual(failure('soundServerGone'));
  },
);
