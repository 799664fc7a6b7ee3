import type { ListedDevice } from '../audio/listed-device.ts';
import type { NoJudgement, RoomJudgement, RoomKept, RoomStep } from '../audio/room-judgement.ts';
import type {
  LoopbackResult,
  MeterEvent,
  OwnSoundVerdict,
  OwnSoundWay,
} from '../audio/sound-tests.ts';
import type { StoredVoice, VoiceRecordingEvent } from '../settings/stored-voice.ts';
import type { Nothing } from './reply.ts';

/** What a page may ask of the sound devices outside a talk. Which ones are used is a setting. */
export interface SoundRequests {
  /** As they are now: no system that Parley runs on reports new ones. */
  readonly soundDevices: { readonly input: Nothing; readonly value: readonly ListedDevice[] };
  /** Whether the page shows them: while one does, changes are posted. */
  readonly watchSoundDevices: { readonly input: { readonly on: boolean }; readonly value: Nothing };
  /** Plays a chirp and listens for it, some four seconds long. */
  readonly testSound: { readonly input: Nothing; readonly value: LoopbackResult };
  /** Listens for five seconds and keeps them in memory, for this page, until it goes or forgets them. */
  readonly recordOwnSound: { readonly input: Nothing; readonly value: OwnSoundVerdict };
  /** Answers when it has been heard, or something else has stopped it. */
  readonly playOwnSound: { readonly input: { readonly as: OwnSoundWay }; readonly value: Nothing };
  readonly forgetOwnSound: { readonly input: Nothing; readonly value: Nothing };
  /** Closes by itself when the page goes away, or a talk begins. */
  readonly meterMicrophone: {
    readonly input: { readonly on: boolean };
    readonly value: Nothing;
  };
}

/** What a page may ask to try the room that it is in. */
export interface RoomRequests {
  /**
   * Listens to the room, plays a phrase, waits for the person to be ready, and plays it again for them to speak over it.
   * What was recorded is in memory, for this page, until it goes, forgets it or has it kept.
   */
  readonly testRoom: { readonly input: Nothing; readonly value: RoomJudgement | NoJudgement };
  /** They are ready. */
  readonly speakInRoom: { readonly input: Nothing; readonly value: Nothing };
  /** Asks where. */
  readonly keepRoom: { readonly input: Nothing; readonly value: RoomKept };
  /** Also in the middle of it. */
  readonly forgetRoom: { readonly input: Nothing; readonly value: Nothing };
}

export interface SoundNotices {
  readonly microphoneMeter: MeterEvent;
  readonly roomStep: RoomStep;
  /** All of them, when one has come or gone or the system uses another one. */
  readonly soundDevicesChanged: readonly ListedDevice[];
}

interface Id {
  readonly id: string;
}

/** What a page may ask of reference voices. Which one is used is a setting. */
export interface VoiceRequests {
  /** Oldest first. */
  readonly voices: { readonly input: Nothing; readonly value: readonly StoredVoice[] };
  readonly importVoice: {
    readonly input: { readonly name: string; readonly wav: Uint8Array };
    readonly value: StoredVoice;
  };
  readonly renameVoice: {
    readonly input: Id & { readonly name: string };
    readonly value: StoredVoice;
  };
  readonly removeVoice: { readonly input: Id; readonly value: Nothing };
  /** Listens until it is stopped; given up when its page goes away or a talk begins. */
  readonly recordVoice: { readonly input: { readonly name: string }; readonly value: Nothing };
  readonly saveRecordedVoice: { readonly input: Nothing; readonly value: StoredVoice };
  readonly cancelVoiceRecording: { readonly input: Nothing; readonly value: Nothing };
  readonly previewVoice: { readonly input: Id; readonly value: Nothing };
  readonly stopVoicePreview: { readonly input: Nothing; readonly value: Nothing };
}

export interface VoiceNotices {
  readonly voicesChanged: readonly StoredVoice[];
  /** `stopped` where a talk, or something else that needs the microphone, ended it. */
  readonly voiceRecording: VoiceRecordingEvent | { readonly kind: 'stopped' };
  readonly voicePreview: Id & { readonly playing: boolean };
}
