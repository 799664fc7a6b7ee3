import { appError } from '../../shared/errors/app-error.ts';
import type { BridgeNotice } from '../app/bridge/ordered-bridge.ts';
import { type FieldState, isRoomTestRunning, type SettingsUiState } from './settings-ui-state.ts';

type Payload<Name extends BridgeNotice['name']> = Extract<BridgeNotice, { name: Name }>['payload'];
type Change = Partial<SettingsUiState>;

interface WithSettingsUi {
  readonly settingsUi: SettingsUiState;
}

export const voiceRecordingStopped: FieldState = { problem: appError('takeStopped') };

/** Adapts a reducer of the settings screen to the whole UI state. */
export function inSettings<Value>(
  apply: (settingsUi: SettingsUiState, payload: Value, at: number) => Change,
) {
  return ({ settingsUi }: WithSettingsUi, payload: Value, at: number): Partial<WithSettingsUi> => {
    const change = apply(settingsUi, payload, at);
    // Levels come 40 times a second and change nothing here.
    return Object.keys(change).length === 0 ? {} : { settingsUi: { ...settingsUi, ...change } };
  };
}

/** Applies meter events; levels bypass the state. The meter may belong to a different page or section. */
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
  { voiceRecording, fields }: SettingsUiState,
  event: Payload<'voiceRecording'>,
): Change {
  // A recording that is being saved is finished.
  if (voiceRecording === undefined || voiceRecording.state === 'keeping') return {};
  switch (event.kind) {
    case 'level': {
      const seconds = Math.floor(event.seconds);
      return seconds === voiceRecording.seconds
        ? {}
        : { voiceRecording: { ...voiceRecording, seconds } };
    }
    case 'full':
      return { voiceRecording: { ...voiceRecording, state: 'full' } };
    case 'problem':
      return { fields: { ...fields, take: { problem: event.error } } };
    case 'stopped':
      return { voiceRecording: undefined, fields: { ...fields, take: voiceRecordingStopped } };
  }
}

export function applySoundDevices(
  { fields }: SettingsUiState,
  devices: Payload<'soundDevicesChanged'>,
): Change {
  return { devices, fields: without(fields, 'devices') };
}

/** Ignored unless this page runs the test. */
export function applyRoomStep(
  { roomTest }: SettingsUiState,
  { step, ms }: Payload<'roomStep'>,
  at: number,
): Change {
  return isRoomTestRunning(roomTest) ? { roomTest: { step, ms, at } } : {};
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
