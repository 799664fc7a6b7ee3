import { z } from 'zod';
import type { ListedDevice } from '../audio/listed-device.ts';
import type {
  RoomTestFailure,
  RoomJudgement,
  SavedRoom,
  RoomStep,
} from '../audio/room-judgement.ts';
import {
  type LoopbackResult,
  type MeterEvent,
  type OwnSoundVerdict,
  ownSoundVersions,
} from '../audio/sound-tests.ts';
import type { StoredVoice, VoiceRecordingEvent } from '../settings/stored-voice.ts';
import { fileBytes, type HandlersOf, noInput, request } from './request-definition.ts';

const onOrOff = z.strictObject({ on: z.boolean() });

/** What a page may ask of the sound devices outside a talk. Which ones are used is a setting. */
export const soundRequests = {
  /** As they are now: no system that Parley runs on reports new ones. */
  soundDevices: request(noInput)
    .answers<readonly ListedDevice[]>()
    .changedBy('soundDevicesChanged'),
  /** Whether the page shows them: while one does, changes are posted. */
  watchSoundDevices: request(onOrOff),
  /** Plays a chirp and listens for it, some four seconds long. */
  testSound: request(noInput).answers<LoopbackResult>(),
  /** Listens for five seconds and keeps them in memory, for this page, until it goes or forgets them. */
  recordOwnSound: request(noInput).answers<OwnSoundVerdict>(),
  /** Answers when it has been heard, or something else has stopped it. */
  playOwnSound: request(z.strictObject({ as: z.enum(ownSoundVersions) })),
  forgetOwnSound: request(noInput),
  /** Closes by itself when the page goes away, or a talk begins. */
  meterMicrophone: request(onOrOff),
};

export type SoundHandlers = HandlersOf<typeof soundRequests>;

export interface SoundNotices {
  readonly microphoneMeter: MeterEvent;
  readonly roomStep: RoomStep;
  /** All of them, when one has come or gone or the system uses another one. */
  readonly soundDevicesChanged: readonly ListedDevice[];
}

/** What a page may ask to try the room that it is in. */
export const roomRequests = {
  /**
   * Listens to the room, plays a phrase, waits for the person to be ready, and plays it again for them to speak over it.
   * What was recorded is in memory, for this page, until it goes, forgets it or has it kept.
   */
  testRoom: request(noInput).answers<RoomJudgement | RoomTestFailure>(),
  /** They are ready. */
  speakInRoom: request(noInput),
  /** Asks where. */
  keepRoom: request(noInput).answers<SavedRoom>(),
  /** Also in the middle of it. */
  forgetRoom: request(noInput),
};

export type RoomHandlers = HandlersOf<typeof roomRequests>;

/** As long as two minutes can be in the widest samples. */
const maxVoiceBytes = 100_000_000;

const id = z.string().min(1).max(40);
const voiceById = z.strictObject({ id });

/** What a voice may be called says the library. */
const name = z.string().max(1000);

/** What a page may ask of reference voices. Which one is used is a setting. */
export const voiceRequests = {
  /** Oldest first. */
  voices: request(noInput).answers<readonly StoredVoice[]>().changedBy('voicesChanged'),
  importVoice: request(
    z.strictObject({ name, wav: fileBytes('a voice', maxVoiceBytes) }),
  ).answers<StoredVoice>(),
  renameVoice: request(z.strictObject({ id, name })).answers<StoredVoice>(),
  removeVoice: request(voiceById),
  /** Listens until it is stopped; given up when its page goes away or a talk begins. */
  recordVoice: request(z.strictObject({ name })),
  saveRecordedVoice: request(noInput).answers<StoredVoice>(),
  cancelVoiceRecording: request(noInput),
  previewVoice: request(voiceById),
  stopVoicePreview: request(noInput),
};

export type VoiceHandlers = HandlersOf<typeof voiceRequests>;

export interface VoiceNotices {
  readonly voicesChanged: readonly StoredVoice[];
  /** `stopped` where a talk, or something else that needs the microphone, ended it. */
  readonly voiceRecording: VoiceRecordingEvent | { readonly kind: 'stopped' };
  readonly voicePreview: { readonly id: string; readonly playing: boolean };
}
