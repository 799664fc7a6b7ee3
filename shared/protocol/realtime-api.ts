/** The two dialects of the wire. */
export type DialectName = 'unified' | 'legacy';

/** What a connection is opened for; it stands in the address as `?mode=`. */
export const modes = ['chat', 'audio', 'video'] as const;
export type Mode = (typeof modes)[number];

export type DuplexMode = Exclude<Mode, 'chat'>;

/**
 * What a connection to the older generation's own path for written conversations is opened for. No server knows
 * it as a mode; the adapter makes the path of it.
 */
export const olderChatMode = 'older-chat';

/** Where that is, beside the path of the realtime API. */
export const olderChatPath = '/ws/chat';

/** Microphone to server: 16 kHz mono. */
export const inputRate = 16_000;

/** Server to speaker: 24 kHz mono. */
export const outputRate = 24_000;

/** How much sound one message carries where nothing else is said; servers take it for granted. */
export const defaultChunkMs = 1000;

/** The shortest audio an append may carry: 250 ms. */
export const minAppendSamples = 4000;

/** How long a session may last, in seconds; chat has no limit. */
export const sessionSeconds: Readonly<Record<DuplexMode, number>> = { video: 300, audio: 600 };

/** How soon the context is full as a rule, in seconds: long before the time is over. */
export const effectiveSeconds: Readonly<Record<DuplexMode, number>> = { video: 90, audio: 480 };

/** Tokens that fit into the model's context. */
export const contextTokens = 8192;

/** What one frame costs at one slice and at four, as far as is known; between and beyond it is fitted. */
export const frameTokens = { oneSlice: 64, fourSlices: 192 } as const;

/** What a sound costs in the model's context, with the marks around it. */
export function soundTokens(seconds: number): number {
  return Math.ceil(seconds * 10) + 2;
}

export const maxSlicesPerFrame = 9;

/** The largest message that a client may send, as the protocol has it: pictures and sounds of a whole chat. */
export const maxClientMessageBytes = 128 * 1024 * 1024;

/**
 * The largest message that our gateway takes in a talk: three minutes of sound, or a minute and many pictures. A longer
 * one would keep all others waiting while it is read.
 */
export const maxTalkMessageBytes = 16 * 1024 * 1024;

/**
 * The largest message that our gateway takes of a client without a session: a configure with two reference voices of
 * half a minute. Who still waits has no pictures to send.
 */
export const maxEarlyMessageBytes = 8 * 1024 * 1024;

/**
 * The largest message taken from a server, before and after inflation. In a talk a step of a model is a second of
 * sound, 128 KB: 49 of them fit, for servers that send an answer at once, and take no longer to read than sound and
 * key can wait. The longest thing that is said
 * at once is a written answer's whole speech, of which two minutes fit.
 */
export const maxServerMessageBytes: Readonly<Record<Mode, number>> = {
  audio: 6 * 1024 * 1024,
  video: 6 * 1024 * 1024,
  chat: 16 * 1024 * 1024,
};
