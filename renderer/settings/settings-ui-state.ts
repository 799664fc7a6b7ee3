import type { StoredData, StoredDataKind } from '../../shared/app/program.ts';
import type { ListedDevice } from '../../shared/audio/listed-device.ts';
import type {
  RoomTestFailure,
  RoomJudgement,
  SavedRoom,
  RoomStep,
} from '../../shared/audio/room-judgement.ts';
import type {
  LoopbackResult,
  OwnSoundVerdict,
  OwnSoundVersion,
} from '../../shared/audio/sound-tests.ts';
import type { AppError } from '../../shared/errors/app-error.ts';
import type { EndpointVerdict } from '../../shared/settings/connection-settings.ts';
import type { SecretsKind } from '../../shared/settings/endpoint-profile.ts';
import type { StoredVoice } from '../../shared/settings/stored-voice.ts';
import type { GlobalKeyTestResult } from '../../shared/talk/global-key.ts';
import type { MemoryFacts } from '../../shared/vision/picture-memory.ts';
import type { KeyOwner } from '../keys/key-owners.ts';
import type { EndpointForm } from './endpoints/endpoint-form.ts';

export const settingsSections = [
  'endpoints',
  'assistant',
  'voices',
  'audio',
  'vision',
  'talking',
  'keys',
  'captions',
  'appearance',
  'desktop',
  'privacy',
  'about',
] as const;

export type SettingsSection = (typeof settingsSections)[number];

/** Something with a place of its own on the page, where a sentence about it can stand. */
export interface FieldState {
  /** What stands there and is not, or not yet, among the settings. */
  readonly typed?: unknown;
  /** A text is the page's own, in its language. */
  readonly problem?: AppError | string | undefined;
}

/** What is being done with the microphone to get a voice. */
export interface VoiceRecordingUi {
  readonly state: 'recording' | 'full' | 'keeping';
  readonly seconds: number;
}

/** A room that is tried, as far as that has come; `closed` says why it is over. */
export type RoomTestUi =
  | { readonly step: 'explained' | 'opening' }
  /** Begun at that time of the page's clock. */
  | { readonly step: RoomStep['step']; readonly ms: number | undefined; readonly at: number }
  | { readonly step: 'judged'; readonly found: RoomJudgement | RoomTestFailure }
  | { readonly step: 'kept'; readonly where: SavedRoom }
  | { readonly step: 'closed'; readonly why: 'stopped' | 'thrownAway' };

/** What the Settings screen shows besides the settings themselves. */
export interface SettingsUiState {
  readonly section: SettingsSection;
  /** The setting that was looked for: it gets the keyboard when it stands there. */
  readonly focusTarget: string | undefined;
  readonly searchText: string;
  /** The key that is to be set anew: its button waits for it as soon as it stands there. */
  readonly wantedKey: KeyOwner | undefined;
  readonly fields: Readonly<Record<string, FieldState>>;
  /** What is being worked on, so that a second click does nothing. */
  readonly busy: readonly string[];
  readonly secretStorage: SecretsKind | undefined;
  /** Of the chosen server, once it was read. */
  readonly serverMemory: MemoryFacts | undefined;
  readonly devices: readonly ListedDevice[] | undefined;
  readonly voices: readonly StoredVoice[] | undefined;
  readonly storedData: readonly StoredData[] | undefined;
  /** What the person is asked about before it is deleted. */
  readonly deletionAsked: StoredDataKind | 'all' | undefined;
  /** The server that is being filled in. */
  readonly form: EndpointForm | undefined;
  /** Of the form, or of the one with this id, and how it went. */
  readonly verdict: { readonly of: string; readonly is: EndpointVerdict } | undefined;
  readonly meter: { readonly device?: string | undefined } | undefined;
  readonly soundTest: LoopbackResult | undefined;
  /** What is to be said of what somebody recorded to hear themselves; the sound is in the core. */
  readonly ownSound: OwnSoundVerdict | undefined;
  readonly roomTest: RoomTestUi | undefined;
  /** A key that was recorded and has something to do already. */
  readonly keyConflict:
    | { readonly owner: KeyOwner; readonly key: string; readonly others: readonly KeyOwner[] }
    | undefined;
  /** Of the key that was set then. */
  readonly globalKeyTest:
    | { readonly key: string; readonly result: GlobalKeyTestResult }
    | undefined;
  readonly take: VoiceRecordingUi | undefined;
  /** The id of the voice that is heard. */
  readonly previewed: string | undefined;
}

export const initialSettingsUiState: SettingsUiState = {
  section: 'endpoints',
  focusTarget: undefined,
  searchText: '',
  wantedKey: undefined,
  fields: {},
  busy: [],
  secretStorage: undefined,
  serverMemory: undefined,
  devices: undefined,
  voices: undefined,
  storedData: undefined,
  deletionAsked: undefined,
  form: undefined,
  verdict: undefined,
  meter: undefined,
  soundTest: undefined,
  ownSound: undefined,
  roomTest: undefined,
  keyConflict: undefined,
  globalKeyTest: undefined,
  take: undefined,
  previewed: undefined,
};

/** Where it is marked that one's own sound is being played in that way, and what went wrong with it. */
export const ownSoundField = (as: OwnSoundVersion): string => `ownSound.${as}`;

const triedSteps: ReadonlySet<RoomTestUi['step']> = new Set([
  'opening',
  'quiet',
  'alone',
  'ready',
  'over',
  'judging',
]);

/** The core is at it. */
export const isRoomTried = (test: RoomTestUi | undefined): boolean =>
  test !== undefined && triedSteps.has(test.step);

/** What the form's verdict, busy mark and sentence go by. */
export const endpointFormId = 'form';

/** A field of a server's form: what is wrong was seen in it, or the server's own answer points to it. */
export function isFieldWrong(
  { fields, verdict }: SettingsUiState,
  part: 'url' | 'name' | 'fingerprint' | 'token',
): boolean {
  if (fields[`${endpointFormId}.${part}`]?.problem !== undefined) return true;
  if (verdict?.of !== endpointFormId || verdict.is.ok) return false;
  const { kind } = verdict.is;
  if (part === 'url') return kind === 'unreachable' || kind === 'notRealtime';
  return part === 'token' && kind === 'refused';
}
