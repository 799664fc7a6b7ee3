import type {
  DeviceState,
  DeviceRole,
  TalkDeviceStates,
} from '../../shared/talk/talk-device-states.ts';
import type { DeviceEvent } from '../sound/devices/stream-supervisor.ts';

/** Before anything is known of the microphone and the speaker. */
export const noDeviceStates: TalkDeviceStates = {
  microphone: { kind: 'unknown' },
  speaker: { kind: 'unknown' },
};

/** The devices of a talk after an event of one of them. */
export function deviceStatesAfter(
  devices: TalkDeviceStates,
  role: DeviceRole,
  event: DeviceEvent,
): TalkDeviceStates {
  return { ...devices, [role]: stateOf(event) };
}

function stateOf(event: DeviceEvent): DeviceState {
  switch (event.kind) {
    case 'using':
      return { kind: 'using', device: event.device };
    case 'moved':
      return { kind: 'standsIn', device: event.device, missing: event.from };
    case 'lost':
      return { kind: 'lost', error: event.error };
  }
}
