import { appError } from '../../shared/errors/app-error.ts';
import type { BridgeNotice } from '../app/bridge/ordered-bridge.ts';
import type { UiState } from '../app/ui-state.ts';
import { type FieldState, isRoomTried, type SettingsUiState } from './settings-ui-state.ts';

type Payload<Name extends BridgeNotice['name']> = Extract<BridgeNotice, { name: Name }>['payload'];

/** Of a voice whose recording was taken from the person. */
export const voiceRecordingStopped: FieldState = {
  problem: appError('takeStopped'),
};

/**
 * The notices of the microphone whose level is shown; its levels go past the view. Another page may show
 * it, or another part of this one.
 */
export function applyMicrophoneMeter(
  { settingsUi }: UiState,
  event: Payload<'microphoneMeter'>,
): Partial<UiState> {
  if (settingsUi.meter === undefined) return {};
  switch (event.kind) {
    case 'level':
      return {};
    case 'using':
      return withSettingsUi(settingsUi, {
        meter: { device: event.device },
        fields: without(settingsUi, 'meter'),
      });
    case 'problem':
      return withSettingsUi(settingsUi, {
        meter: {},
        fields: withProblem(settingsUi, 'meter', event),
      });
    case 'stopped':
      return withSettingsUi(settingsUi, { meter: undefined });
  }
}

export function applyVoiceRecording(
  { settingsUi }: UiState,
  event: Payload<'voiceRecording'>,
): Partial<UiState> {
  const { take } = settingsUi;
  // What is being saved belongs to the recording no more.
  if (take === undefined || take.state === 'keeping') return {};
  switch (event.kind) {
    case 'level': {
      const seconds = Math.floor(event.seconds);
      return seconds === take.seconds
        ? {}
        : withSettingsUi(settingsUi, { take: { ...take, seconds } });
    }
    case 'full':
      return withSettingsUi(settingsUi, { take: { ...take, state: 'full' } });
    case 'problem':
      return withSettingsUi(settingsUi, { fields: withProblem(settingsUi, 'take', event) });
    case 'stopped':
      return withSettingsUi(settingsUi, {
        take: undefined,
        fields: { ...settingsUi.fields, take: voiceRecordingStopped },
      });
  }
}

export function applySoundDevices(
  { settingsUi }: UiState,
  devices: Payload<'soundDevicesChanged'>,
): Partial<UiState> {
  return withSettingsUi(settingsUi, { devices, fields: without(settingsUi, 'devices') });
}

/** Another page may try a room, or this one has left it. */
export function applyRoomStep(
  { settingsUi }: UiState,
  { step, ms }: Payload<'roomStep'>,
  at: number,
): Partial<UiState> {
  if (!isRoomTried(settingsUi.roomTest)) return {};
  return withSettingsUi(settingsUi, { roomTest: { step, ms, at } });
}

export function applyVoices(
  { settingsUi }: UiState,
  voices: Payload<'voicesChanged'>,
): Partial<UiState> {
  return withSettingsUi(settingsUi, { voices });
}

export function applyVoicePreview(
  { settingsUi }: UiState,
  event: Payload<'voicePreview'>,
): Partial<UiState> {
  if (event.playing) return withSettingsUi(settingsUi, { previewed: event.id });
  return settingsUi.previewed === event.id
    ? withSettingsUi(settingsUi, { previewed: undefined })
    : {};
}

function withSettingsUi(
  settingsUi: SettingsUiState,
  part: Partial<SettingsUiState>,
): Partial<UiState> {
  return { settingsUi: { ...settingsUi, ...part } };
}

function withProblem(
  settingsUi: SettingsUiState,
  id: string,
  { error }: Extract<Payload<'microphoneMeter'>, { kind: 'problem' }>,
): SettingsUiState['fields'] {
  return { ...settingsUi.fields, [id]: { problem: error } };
}

function without(settingsUi: SettingsUiState, id: string): SettingsUiState['fields'] {
  const { [id]: _gone, ...others } = settingsUi.fields;
  return others;
}
