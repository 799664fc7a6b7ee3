import type {
  DeviceState,
  DeviceRole,
  TalkDeviceStates,
} from '../../shared/talk/talk-device-states.ts';
import type { TalkState } from '../../shared/talk/talk-state.ts';
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

/** In these phases no microphone is open: nothing is known of it until it is. */
export function deviceStatesIn(
  devices: TalkDeviceStates,
  phase: TalkState['phase'],
): TalkDeviceStates {
  const closed = phase === 'connecting' || phase === 'queued';
  return closed && devices.microphone.kind !== 'unknown'
    ? { ...devices, microphone: noDeviceStates.microphone }
    : devices;
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
