import type { BridgeNotice } from '../bridge/bridge.ts';
import type { Field, SettingsRoom } from './settings-room.ts';
import type { View } from './view.ts';

type Payload<Name extends BridgeNotice['name']> = Extract<BridgeNotice, { name: Name }>['payload'];

/** Of a voice whose recording was taken from the person. */
export const takeStopped: Field = {
  problem: {
    sentence:
      'The recording was given up, because the microphone was needed elsewhere or Parley could not be reached.',
    why: 'takeStopped',
  },
};

/**
 * What is told of the microphone that is looked at; its levels go past the view. Another page may look
 * at it, or another place of this one.
 */
export function hearMeter({ room }: View, news: Payload<'microphoneMeter'>): Partial<View> {
  if (room.meter === undefined) return {};
  switch (news.kind) {
    case 'level':
      return {};
    case 'using':
      return withRoom(room, { meter: { device: news.device }, fields: without(room, 'meter') });
    case 'problem':
      return withRoom(room, { meter: {}, fields: saying(room, 'meter', news) });
    case 'stopped':
      return withRoom(room, { meter: undefined });
  }
}

export function hearTake({ room }: View, news: Payload<'voiceRecording'>): Partial<View> {
  const { take } = room;
  // What is being kept has been taken out of the recording's hands.
  if (take === undefined || take.state === 'keeping') return {};
  switch (news.kind) {
    case 'level': {
      const seconds = Math.floor(news.seconds);
      return seconds === take.seconds ? {} : withRoom(room, { take: { ...take, seconds } });
    }
    case 'full':
      return withRoom(room, { take: { ...take, state: 'full' } });
    case 'problem':
      return withRoom(room, { fields: saying(room, 'take', news) });
    case 'stopped':
      return withRoom(room, { take: undefined, fields: { ...room.fields, take: takeStopped } });
  }
}

export function hearDevices(
  { room }: View,
  devices: Payload<'soundDevicesChanged'>,
): Partial<View> {
  return withRoom(room, { devices, fields: without(room, 'devices') });
}

export function hearVoices({ room }: View, voices: Payload<'voicesChanged'>): Partial<View> {
  return withRoom(room, { voices });
}

export function hearPreview({ room }: View, news: Payload<'voicePreview'>): Partial<View> {
  if (news.playing) return withRoom(room, { previewed: news.id });
  return room.previewed === news.id ? withRoom(room, { previewed: undefined }) : {};
}

function withRoom(room: SettingsRoom, part: Partial<SettingsRoom>): Partial<View> {
  return { room: { ...room, ...part } };
}

function saying(
  room: SettingsRoom,
  id: string,
  { problem, why }: Extract<Payload<'microphoneMeter'>, { kind: 'problem' }>,
): SettingsRoom['fields'] {
  return { ...room.fields, [id]: { problem: { sentence: problem, why } } };
}

function without(room: SettingsRoom, id: string): SettingsRoom['fields'] {
  const { [id]: _gone, ...others } = room.fields;
  return others;
}
