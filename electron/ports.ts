import type { PartName, PartState } from '../shared/about.ts';
import type { DialectName } from '../shared/protocol/names.ts';
import type { SecretsKind } from '../shared/settings/endpoint-profile.ts';
import type { ListedDevice } from '../shared/sound/sound-device.ts';
import type { Shareable } from '../shared/vision/shareable.ts';
import type { KeptVoice } from '../shared/voices/voice.ts';
import type { LineWhy, Why } from '../shared/why.ts';
import type { WindowsShown } from '../shared/windows-shown.ts';

/** Time as the core sees it: monotonic milliseconds from an origin of the clock's choice. */
export interface Clock {
  readonly now: () => number;
  /** Runs once after the delay, unless the returned function is called before. */
  readonly after: (milliseconds: number, run: () => void) => () => void;
}

/** Milliseconds since 1970, as the machine's own clock has them: for people to read, never to measure. */
export type WallClock = () => number;

/** Numbers from 0 up to but not including 1: dice in use, a seeded sequence in tests. */
export type Random = () => number;

export type LogLevel = 'info' | 'warn' | 'error';

/** For the person who mends Parley, never for its user, and never with a secret in it. */
export interface Log {
  readonly write: (level: LogLevel, message: string) => void;
}

/** The native libraries. Loading one never rejects: what went wrong is the state's reason. */
export interface NativeParts {
  readonly load: (part: PartName) => Promise<PartState>;
}

/** An expected failure, already said so that a person understands it. */
export interface Failure {
  readonly ok: false;
  readonly problem: string;
  readonly why?: Why | undefined;
}

export type Outcome<Value> = { readonly ok: true; readonly value: Value } | Failure;

/** Connections to a gateway. A connection reports to its listener until `ended`, which comes once. */
export interface Sockets {
  /** Opens a connection for the mode; the endpoint, its token and its trust are the adapter's matter. */
  readonly connect: (mode: string, listener: SocketListener) => Socket;
}

export interface Socket {
  readonly send: (text: string) => void;
  /** Says goodbye as the protocol has it; `ended` follows, but only when the other side agrees. */
  readonly close: (code: number, reason: string) => void;
  /** Cuts the line at once; `ended` follows. */
  readonly terminate: () => void;
}

export interface SocketListener {
  readonly opened: () => void;
  /** A text frame; a binary one arrives as `undefined`. */
  readonly received: (text: string | undefined) => void;
  readonly ended: (end: SocketEnd) => void;
}

export type SocketEnd =
  /** The server refused the upgrade with an HTTP answer. */
  | { readonly kind: 'refused'; readonly status: number; readonly body: string }
  /**
   * No connection came about; `problem` is a sentence: no such host, certificate not trusted…
   * `lasting` where trying again changes nothing until the person changes something.
   */
  | {
      readonly kind: 'unreachable';
      readonly problem: string;
      readonly why?: LineWhy | undefined;
      readonly lasting?: true;
      /** The certificate that was not trusted, where that was the reason. */
      readonly distrusted?: DistrustedCertificate | undefined;
    }
  /** It was open and has been closed; 1006 is a line that was cut. */
  | { readonly kind: 'closed'; readonly code: number; readonly reason: string };

export interface DistrustedCertificate {
  /** SHA-256, as `AA:BB:…`: by it the certificate can be trusted. */
  readonly fingerprint: string;
  /** What is wrong with it, to be read after "The server's certificate". */
  readonly why: string;
  /** Another certificate of this server is trusted. */
  readonly changed: boolean;
}

/** Pictures as far as the core looks into them. */
export interface Pictures {
  /** Size and main colours, most frequent first, as plain English words. */
  readonly look: (file: Uint8Array) => Promise<Outcome<PictureFacts>>;
  /** Checks a picture a person gave and makes it a JPEG fit to send: upright, no metadata. */
  readonly prepare: (file: Uint8Array, longestSide: number) => Promise<Outcome<Uint8Array>>;
}

export interface PictureFacts {
  readonly width: number;
  readonly height: number;
  readonly colours: readonly string[];
}

/** Frames of a camera or a screen on their way to the model. */
export interface Frames {
  /**
   * Checks a JPEG, turns it upright, cuts and shrinks it as `plan` says for its upright size, and
   * encodes it anew without metadata. Off the JS thread; whoever calls sees to it that one is enough.
   */
  readonly prepare: (file: Uint8Array, plan: PlanFrame) => Promise<Outcome<PreparedFrame>>;
}

export type PlanFrame = (upright: { readonly width: number; readonly height: number }) => {
  readonly crop:
    | {
        readonly left: number;
        readonly top: number;
        readonly width: number;
        readonly height: number;
      }
    | undefined;
  readonly width: number;
  readonly height: number;
};

export interface PreparedFrame {
  readonly jpeg: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** The frame as 16 × 16 grey values, row by row: what is the same in two of them has not moved. */
  readonly signature: Uint8Array;
}

/** Screens and windows that can be shown, as the system lists them. */
export interface Shareables {
  readonly list: (thumbnails: boolean) => Promise<Outcome<readonly Shareable[]>>;
}

/** Files the person names. Problems are sentences with the path in them. */
export interface Files {
  readonly read: (path: string, mostBytes: number) => Promise<Outcome<Uint8Array>>;
  readonly readText: (path: string, mostBytes: number) => Promise<Outcome<string>>;
  /** The beginning of a file, however large the whole is. */
  readonly readStart: (path: string, mostBytes: number) => Promise<Outcome<FileStart>>;
  /**
   * Makes or empties a file. Writes are queued in order; `close` waits for them. The first thing
   * that goes wrong is also told at once, where somebody wants to know.
   */
  readonly create: (
    path: string,
    onProblem?: (sentence: string) => void,
  ) => Promise<Outcome<FileWriter>>;
  /** Makes the folder where it is missing; refuses one that already holds something. */
  readonly createFolder: (path: string) => Promise<Outcome<undefined>>;
}

export interface FileStart {
  readonly bytes: Uint8Array;
  /** Of the whole file; 0 for what has none, such as a pipe. */
  readonly size: number;
}

export interface FileWriter {
  readonly append: (bytes: Uint8Array | string) => void;
  /** Overwrites what was written before, such as a length in a header. */
  readonly writeAt: (offset: number, bytes: Uint8Array) => void;
  /** The first thing that went wrong since it was opened (a full disk…), or nothing. */
  readonly close: () => Promise<Outcome<undefined>>;
  /** Closes it and takes the file away: nothing came that is worth keeping. */
  readonly discard: () => Promise<Outcome<undefined>>;
}

/**
 * Written conversations that are kept, each a text with the pictures and sounds it names. What is in
 * the text is not the store's matter. Problems are sentences with the place in them.
 */
export interface ChatStore {
  /** Everything that is kept; one that cannot be read is named by its problem and hinders no other. */
  readonly load: () => Promise<Outcome<StoredChats>>;
  /**
   * Takes the place of what was kept under this id, whole or not at all. Media have names without
   * folders; one that is already there is not written again, and one that is not named goes.
   */
  readonly write: (
    id: string,
    text: string,
    media: readonly StoredMedia[],
  ) => Promise<Outcome<undefined>>;
  readonly readMedia: (id: string, name: string) => Promise<Outcome<Uint8Array>>;
  /** Puts one that makes no sense where it is never loaded again, and says where that is. */
  readonly setAside: (id: string) => Promise<Outcome<string>>;
  readonly remove: (id: string) => Promise<Outcome<undefined>>;
  /** Also what was set aside: nothing of any conversation is left. */
  readonly removeAll: () => Promise<Outcome<undefined>>;
}

export interface StoredChats {
  readonly chats: readonly { readonly id: string; readonly text: string }[];
  readonly problems: readonly string[];
}

export interface StoredMedia {
  readonly name: string;
  /** Asked only where the file is not there yet; nothing where there is no more than the name. */
  readonly bytes: () => Uint8Array | undefined;
}

/**
 * Which dialect a server spoke last. Servers are known by scheme, host and path; what else stands in
 * an address may be a secret. It is no more than a guess to begin with, so that nothing here fails.
 */
export interface DialectMemory {
  readonly recall: (server: string) => DialectName | undefined;
  readonly remember: (server: string, dialect: DialectName) => void;
  /** Resolves once what was remembered is kept, as far as it can be. */
  readonly settled: () => Promise<void>;
}

/** A small text that Parley keeps for itself, whole or not at all. */
export interface StateFile {
  /** At once and not in steps, because it is needed before anything is shown; nothing where there is none. */
  readonly read: () => Outcome<string | undefined>;
  /** Replaces it; whoever reads meanwhile finds the old text or the new one. */
  readonly write: (text: string) => Promise<Outcome<undefined>>;
  /** Keeps what stands there now under another name, which is given back, out of the way of the next write. */
  readonly setAside: () => Outcome<string>;
}

/** The program's own windows, where a host has any. */
export interface AppWindows {
  readonly shown: () => WindowsShown;
  readonly showMini: () => void;
  readonly closeMini: () => void;
  readonly showMain: () => void;
}

/** Tokens, by the id of what they are for. Nobody else keeps them, and no problem has one in it. */
export interface Secrets {
  /**
   * How well they are guarded: by the system's keychain; in a file that only this account can read,
   * but whose every program can; or not kept at all, so that they are gone when Parley ends.
   */
  readonly kind: () => SecretsKind;
  readonly get: (id: string) => Promise<Outcome<string | undefined>>;
  readonly set: (id: string, secret: string) => Promise<Outcome<undefined>>;
  readonly delete: (id: string) => Promise<Outcome<undefined>>;
}

/** Reference voices, each a WAV file that any program can play. */
export interface VoiceStore {
  /** Oldest first. One whose description is damaged is there all the same. */
  readonly list: () => Promise<Outcome<readonly KeptVoice[]>>;
  readonly save: (
    voice: Omit<KeptVoice, 'createdAt'>,
    wav: Uint8Array,
  ) => Promise<Outcome<KeptVoice>>;
  readonly rename: (id: string, name: string) => Promise<Outcome<KeptVoice>>;
  readonly read: (id: string) => Promise<Outcome<Uint8Array>>;
  readonly remove: (id: string) => Promise<Outcome<undefined>>;
}

/** A folder of Parley's own, by what lies at its top. */
export interface KeptFolder {
  readonly path: string;
  /** Makes it where it is missing, for this account alone. */
  readonly make: () => Promise<Outcome<undefined>>;
  /** Nothing where there is no folder yet. */
  readonly list: () => Promise<Outcome<readonly KeptItem[]>>;
  /** One of what it lists, for good. */
  readonly remove: (name: string) => Promise<Outcome<undefined>>;
}

export interface KeptItem {
  readonly name: string;
  /** With everything in it, where it is a folder. */
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

/** The system's keychain, as far as it seals texts for us to keep. Both may throw. */
export interface Keychain {
  /** It may be there only once the host is ready. */
  readonly available: () => boolean;
  readonly seal: (text: string) => Uint8Array;
  readonly open: (sealed: Uint8Array) => string;
}

export type SoundDevice = ListedDevice;

/** By name, or whatever the system uses at the moment. */
export type DeviceChoice =
  { readonly name: string; readonly hostApi?: string | undefined } | 'default';

/** The sound system, one stream at a time. Streams of a device that dies say so in their figures. */
export interface SoundDriver {
  /** Looks for the devices there are now; no stream notices. */
  readonly devices: () => Promise<Outcome<readonly SoundDevice[]>>;
  /** The system moves a stream of its own device when that becomes another one; else we have to look. */
  readonly systemMovesStreams: boolean;
  readonly openSpeaker: (device: DeviceChoice, rate: number) => Promise<Outcome<SpeakerStream>>;
  /**
   * `hear` gets blocks of 20 ms; what it gets is its own. `capturedAt` is when the first sample came
   * in, in milliseconds of a clock that all streams of a driver share.
   */
  readonly openMicrophone: (
    device: DeviceChoice,
    rate: number,
    hear: (block: Float32Array, capturedAt: number) => void,
  ) => Promise<Outcome<MicrophoneStream>>;
}

export interface SpeakerStream {
  readonly device: SoundDevice;
  /** The rate it was opened with: the device's own, where it refuses the one asked for. */
  readonly rate: number;
  /** Says how many were taken; what there is no room for is not. Never waits. */
  readonly write: (samples: Float32Array) => number;
  /** Drops what is queued, after a fade of 5 ms; `played` counts all samples that go out. */
  readonly flush: () => { readonly played: number; readonly dropped: number };
  /** From 0 to 1, reached without a click. */
  readonly setVolume: (volume: number) => void;
  /**
   * Copies what has gone to the device since it was last asked, silence and volume included. Where
   * that is longer than some seconds ago, what was missed is left out.
   */
  readonly takePlayed: (into: Float32Array) => PlayedPart;
  readonly look: () => SpeakerFigures;
  /** Ends the stream at once, and within a bounded time also a dead one. */
  readonly close: () => Promise<void>;
}

export interface PlayedPart {
  /** How many samples were copied. */
  readonly count: number;
  /** The first one's place in all that went to the device. */
  readonly position: number;
  /** When the first one is heard, by the clock that captured blocks go by. */
  readonly heardAt: number;
}

export interface SpeakerFigures {
  /** The device takes sound. */
  readonly alive: boolean;
  /** Samples handed to the device since the stream was opened. */
  readonly played: number;
  /** Samples that have left the device: what a person has heard. */
  readonly heard: number;
  readonly queued: number;
  /** How often sound ran out, at the end of a sentence or within it. */
  readonly underruns: number;
  /** Samples that were no number and have been made silence. */
  readonly repaired: number;
  readonly latencyMs: number;
}

export interface MicrophoneStream {
  readonly device: SoundDevice;
  readonly rate: number;
  readonly look: () => MicrophoneFigures;
  readonly close: () => Promise<void>;
}

export interface MicrophoneFigures {
  readonly alive: boolean;
  /** Samples captured since the stream was opened, lost ones not among them. */
  readonly captured: number;
  /** Samples lost because they were not read for longer than the ring is. */
  readonly lost: number;
  /** Samples that were no number and have been made silence. */
  readonly repaired: number;
  readonly latencyMs: number;
}

/** Converts a stream of sound from one rate to another; it remembers what it needs between blocks. */
export interface RateConverter {
  readonly convert: (block: Float32Array) => Float32Array;
  /** Forgets what it remembers: what comes next is another sound. */
  readonly restart: () => void;
  readonly close: () => void;
}
