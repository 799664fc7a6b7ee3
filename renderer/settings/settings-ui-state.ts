import type { StoredData, StoredDataKind } from '../../shared/app/program.ts';
import type { ListedDevice, StoredVoice } from '../../shared/settings/audio-settings.ts';
import type {
  RoomJudgement,
  RoomStep,
  RoomTestFailure,
  SavedRoom,
  LoopbackResult,
  OwnSoundVerdict,
  OwnSoundVersion,
} from '../../shared/audio/sound-tests.ts';
import { appError, type AppError } from '../../shared/errors/app-error.ts';
import type { EndpointVerdict, SecretsKind } from '../../shared/settings/connection-settings.ts';
import type { KeyOwner, SettingKeyOwner } from '../../shared/settings/key-owners.ts';
import type { GlobalKeyTestResult } from '../../shared/talk/global-key.ts';
import type { ContextFacts } from '../../shared/vision/context-facts.ts';
import type { BridgeNotice } from '../app/bridge/ordered-bridge.ts';
import type { EndpointForm } from './endpoints/endpoint-form.ts';

export const settingsSections = [
  'endpoints',
  'assistant',
  'voices',
  'audio',
  'vision',
  'talking',
  'keys',
  'cursor',
  'tools',
  'captions',
  'appearance',
  'desktop',
  'memory',
  'privacy',
  'about',
] as const;

export type SettingsSection = (typeof settingsSections)[number];

/** State of a field: unsaved value and error. */
export interface FieldState {
  /** The typed value that is not saved. */
  readonly typed?: unknown;
  /** A string is already in the page's language. */
  readonly problem?: AppError | string | undefined;
}

/** Recording of a reference voice. */
interface VoiceRecordingUi {
  readonly state: 'recording' | 'full' | 'keeping';
  readonly seconds: number;
}

/** Progress of the room test; `closed` has the reason. */
export type RoomTestUi =
  | { readonly step: 'explained' | 'opening' }
  /** `at` is the start, by the page's clock. */
  | { readonly step: RoomStep['step']; readonly ms: number | undefined; readonly at: number }
  | { readonly step: 'judged'; readonly found: RoomJudgement | RoomTestFailure }
  | { readonly step: 'kept'; readonly where: SavedRoom }
  | { readonly step: 'closed'; readonly why: 'stopped' | 'thrownAway' };

/** State of the settings screen, besides the settings. */
export interface SettingsUiState {
  readonly section: SettingsSection;
  /** The setting to focus once it is rendered. */
  readonly focusTarget: string | undefined;
  readonly searchText: string;
  /** The key to record once its button is rendered. */
  readonly recordingKey: SettingKeyOwner | undefined;
  readonly fields: Readonly<Record<string, FieldState>>;
  /** Ids of fields with a running request; a second click is ignored. */
  readonly busy: readonly string[];
  readonly secretStorage: SecretsKind | undefined;
  /** Context of the chosen server, once read. */
  readonly serverContext: ContextFacts | undefined;
  readonly devices: readonly ListedDevice[] | undefined;
  readonly voices: readonly StoredVoice[] | undefined;
  readonly storedData: readonly StoredData[] | undefined;
  /** The deletion that waits for confirmation. */
  readonly deletionToConfirm: StoredDataKind | 'all' | undefined;
  readonly form: EndpointForm | undefined;
  /** The last test: of a server by id, or of the form. */
  readonly verdict: { readonly of: string; readonly result: EndpointVerdict } | undefined;
  readonly meter: { readonly device?: string | undefined } | undefined;
  readonly soundTest: LoopbackResult | undefined;
  /** Verdict on a recording of the user; the sound is in the core. */
  readonly ownSound: OwnSoundVerdict | undefined;
  readonly roomTest: RoomTestUi | undefined;
  /** A recorded key that is already assigned. */
  readonly keyConflict:
    | {
        readonly owner: SettingKeyOwner;
        readonly key: string;
        readonly others: readonly KeyOwner[];
      }
    | undefined;
  /** The last test of a global key. */
  readonly globalKeyTest:
    | { readonly key: string; readonly result: GlobalKeyTestResult }
    | undefined;
  readonly voiceRecording: VoiceRecordingUi | undefined;
  /** The id of the reference voice that is playing. */
  readonly previewed: string | undefined;
}

export const initialSettingsUiState: SettingsUiState = {
  section: 'endpoints',
  focusTarget: undefined,
  searchText: '',
  recordingKey: undefined,
  fields: {},
  busy: [],
  secretStorage: undefined,
  serverContext: undefined,
  devices: undefined,
  voices: undefined,
  storedData: undefined,
  deletionToConfirm: undefined,
  form: undefined,
  verdict: undefined,
  meter: undefined,
  soundTest: undefined,
  ownSound: undefined,
  roomTest: undefined,
  keyConflict: undefined,
  globalKeyTest: undefined,
  voiceRecording: undefined,
  previewed: undefined,
};

/** Field id of a playback, for its busy state and error. */
export const ownSoundField = (version: OwnSoundVersion): string => `ownSound.${version}`;

const runningSteps: ReadonlySet<RoomTestUi['step']> = new Set([
  'opening',
  'quiet',
  'alone',
  'ready',
  'over',
  'judging',
]);

export const isRoomTestRunning = (test: RoomTestUi | undefined): boolean =>
  test !== undefined && runningSteps.has(test.step);

/** Id of the form for verdict, busy state and error. */
export const endpointFormId = 'form';

/** Whether a form field is invalid, by validation or by the test result. */
export function isFieldInvalid(
  { fields, verdict }: SettingsUiState,
  part: 'url' | 'name' | 'fingerprint' | 'token',
): boolean {
  if (fields[`${endpointFormId}.${part}`]?.problem !== undefined) return true;
  if (verdict?.of !== endpointFormId || verdict.result.ok) return false;
  const { kind } = verdict.result;
  if (part === 'url') return kind === 'unreachable' || kind === 'notRealtime';
  return part === 'token' && kind === 'refused';
}

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
    // Levels come many times a second and change nothing here.
    return Object.keys(change).length === 0 ? {} : { settingsUi: { ...settingsUi, ...change } };
  };
}

/** Applies meter events; levels bypass the state. If the meter is off here, the events are for another page or section. */
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
