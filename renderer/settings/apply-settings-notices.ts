import { appError } from '../../shared/errors/app-error.ts';
import type { BridgeNotice } from '../app/bridge/ordered-bridge.ts';
import { type FieldState, isRoomTried, type SettingsUiState } from './settings-ui-state.ts';

type Payload<Name extends BridgeNotice['name']> = Extract<BridgeNotice, { name: Name }>['payload'];
type Change = Partial<SettingsUiState>;

interface WithSettingsUi {
  readonly settingsUi: SettingsUiState;
}

/** Of a voice whose recording was taken from the person. */
export const voiceRecordingStopped: FieldState = { problem: appError('takeStopped') };

/** A notice that changes what the Settings screen shows besides the settings. */
export function inSettings<Value>(
  apply: (settingsUi: SettingsUiState, payload: Value, at: number) => Change,
) {
  return ({ settingsUi }: WithSettingsUi, payload: Value, at: number): Partial<WithSettingsUi> => {
    const change = apply(settingsUi, payload, at);
    // Levels come forty times a second, and change nothing here.
    return Object.keys(change).length === 0 ? {} : { settingsUi: { ...settingsUi, ...change } };
  };
}

/**
 * The notices of the microphone whose level is shown; its levels go past the view. Another page may show
 * it, or another part of this one.
 */
export function applyMicrophoneMeter(
  { meter, fields }: SettingsUiState,
  event: Payload<'microphoneMeter'>,
): Change {
  if (meter === undefined) return {};
  switch (event.kind) {
    case 'level':
      return {};
    case 'using':
      return { meter: { device: event.device }, fields: without(fields, 'meter') };
    case 'problem':
      return { meter: {}, fields: { ...fields, meter: { problem: event.error } } };
    case 'stopped':
      return { meter: undefined };
  }
}

export function applyVoiceRecording(
  { take, fields }: SettingsUiState,
  event: Payload<'voiceRecording'>,
): Change {
  // What is being saved belongs to the recording no more.
  if (take === undefined || take.state === 'keeping') return {};
  switch (event.kind) {
    case 'level': {
      const seconds = Math.floor(event.seconds);
      return seconds === take.seconds ? {} : { take: { ...take, seconds } };
    }
    case 'full':
      return { take: { ...take, state: 'full' } };
    case 'problem':
      return { fields: { ...fields, take: { problem: event.error } } };
    case 'stopped':
      return { take: undefined, fields: { ...fields, take: voiceRecordingStopped } };
  }
}

export function applySoundDevices(
  { fields }: SettingsUiState,
  devices: Payload<'soundDevicesChanged'>,
): Change {
  return { devices, fields: without(fields, 'devices') };
}

/** Another page may try a room, or this one has left it. */
export function applyRoomStep(
  { roomTest }: SettingsUiState,
  { step, ms }: Payload<'roomStep'>,
  at: number,
): Change {
  return isRoomTried(roomTest) ? { roomTest: { step, ms, at } } : {};
}

export function applyVoicePreview(
  { previewed }: SettingsUiState,
  { id, playing }: Payload<'voicePreview'>,
): Change {
  if (playing) return { previewed: id };
  return previewed === id ? { previewed: undefined } : {};
}

function without(fields: SettingsUiState['fields'], id: string): SettingsUiState['fields'] {
  const { [id]: _gone, ...others } = fields;
  return others;
}
