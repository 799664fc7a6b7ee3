import { z } from 'zod';
import type { ListedDevice, StoredVoice, VoiceRecordingEvent } from '../settings/audio-settings.ts';
import {
  ownSoundVersions,
  type RoomTestFailure,
  type RoomJudgement,
  type SavedRoom,
  type RoomStep,
  type LoopbackResult,
  type MeterEvent,
  type OwnSoundVerdict,
} from '../audio/sound-tests.ts';
import { type HandlersOf, noInput, request } from './request-definition.ts';
import { fileBytes } from './request-schemas.ts';

const onOrOff = z.strictObject({ on: z.boolean() });

/** Requests about sound devices outside a talk. The settings choose the devices. */
export const soundRequests = {
  soundDevices: request(noInput)
    .answers<readonly ListedDevice[]>()
    .withChangedBy('soundDevicesChanged'),
  /** While a page watches, the core polls and posts changes, because PortAudio does not report new devices. */
  watchSoundDevices: request(onOrOff),
  /** Plays a chirp and listens for it, for about four seconds. */
  testSound: request(noInput).answers<LoopbackResult>(),
  /** Records five seconds into memory, for this page only, until the page closes or forgets them. */
  recordOwnSound: request(noInput).answers<OwnSoundVerdict>(),
  /** Answers when playback has finished or was stopped. */
  playOwnSound: request(z.strictObject({ as: z.enum(ownSoundVersions) })),
  forgetOwnSound: request(noInput),
  /** The microphone closes when the page closes or a talk starts. */
  meterMicrophone: request(onOrOff),
};

export type SoundHandlers = HandlersOf<typeof soundRequests>;

export interface SoundNotices {
  readonly microphoneMeter: MeterEvent;
  readonly roomStep: RoomStep;
  /** The full list, after a device or the system default changed. */
  readonly soundDevicesChanged: readonly ListedDevice[];
}

export const roomRequests = {
  /**
   * Listens, plays a phrase, waits for `speakInRoom`, and plays the phrase again while the user speaks over it. The
   * recording stays in memory for this page, until the page closes, forgets it or saves it.
   */
  testRoom: request(noInput).answers<RoomJudgement | RoomTestFailure>(),
  /** The user is ready to speak. */
  speakInRoom: request(noInput),
  /** Asks the user for a destination. */
  keepRoom: request(noInput).answers<SavedRoom>(),
  /** Discards the recording, and stops a running test. */
  forgetRoom: request(noInput),
};

export type RoomHandlers = HandlersOf<typeof roomRequests>;

/** Two minutes in the widest sample format. */
const maxVoiceBytes = 100_000_000;

const id = z.string().min(1).max(40);
const voiceById = z.strictObject({ id });

/** Bounds the message; the voice library validates names. */
const name = z.string().max(1000);

/** Requests about reference voices. The settings choose the voice. */
export const voiceRequests = {
  /** Oldest first. */
  voices: request(noInput).answers<readonly StoredVoice[]>().withChangedBy('voicesChanged'),
  importVoice: request(
    z.strictObject({ name, wav: fileBytes('a voice', maxVoiceBytes) }),
  ).answers<StoredVoice>(),
  renameVoice: request(z.strictObject({ id, name })).answers<StoredVoice>(),
  removeVoice: request(voiceById),
  /**
   * Records until stopped or until the maximum length. The core discards the recording when the page closes or a talk
   * starts.
   */
  recordVoice: request(z.strictObject({ name })),
  saveRecordedVoice: request(noInput).answers<StoredVoice>(),
  cancelVoiceRecording: request(noInput),
  previewVoice: request(voiceById),
  stopVoicePreview: request(noInput),
};

export type VoiceHandlers = HandlersOf<typeof voiceRequests>;

export interface VoiceNotices {
  readonly voicesChanged: readonly StoredVoice[];
  /** `stopped` if a talk or another recorder took the microphone. */
  readonly voiceRecording: VoiceRecordingEvent | { readonly kind: 'stopped' };
  readonly voicePreview: { readonly id: string; readonly playing: boolean };
}
