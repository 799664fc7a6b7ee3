import type { DeviceChoice } from '../../ports/sound.ts';

/** Whether two choices mean one device. */
export function isSameDevice(one: DeviceChoice, other: DeviceChoice): boolean {
  if (one === 'default' || other === 'default') return one === other;
  return one.name === other.name && one.hostApi === other.hostApi;
}
