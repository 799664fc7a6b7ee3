import type { DeviceState, DeviceUse, TalkDevices } from '../../shared/talk/talk-devices.ts';
import type { SoundNews } from '../audio/keep-stream.ts';

export const noDevices: TalkDevices = {
  microphone: { kind: 'unknown' },
  speaker: { kind: 'unknown' },
};

export function devicesAfter(devices: TalkDevices, use: DeviceUse, news: SoundNews): TalkDevices {
  return { ...devices, [use]: stateOf(news) };
}

function stateOf(news: SoundNews): DeviceState {
  switch (news.kind) {
    case 'using':
      return { kind: 'using', device: news.device };
    case 'moved':
      return { kind: 'standsIn', device: news.device, missing: news.from };
    case 'lost':
      return { kind: 'lost', problem: news.problem, why: news.why };
  }
}
