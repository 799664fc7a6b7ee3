import type {
  DeviceState,
  DeviceRole,
  TalkDeviceStates,
} from '../../shared/talk/talk-device-states.ts';
import type { DeviceEvent } from '../sound/devices/stream-supervisor.ts';

export const noDeviceStates: TalkDeviceStates = {
  microphone: { kind: 'unknown' },
  speaker: { kind: 'unknown' },
};

export function deviceStatesAfter(
  devices: TalkDeviceStates,
  use: DeviceRole,
  news: DeviceEvent,
): TalkDeviceStates {
  return { ...devices, [use]: stateOf(news) };
}

function stateOf(news: DeviceEvent): DeviceState {
  switch (news.kind) {
    case 'using':
      return { kind: 'using', device: news.device };
    case 'moved':
      return { kind: 'standsIn', device: news.device, missing: news.from };
    case 'lost':
      return { kind: 'lost', error: news.error };
  }
}
