export type DialectName = 'unified' | 'legacy';

/** Modes of a connection, `?mode=` in the address. */
export const modes = ['chat', 'audio', 'video'] as const;
export type Mode = (typeof modes)[number];

export type DuplexMode = Exclude<Mode, 'chat'>;

/** Pseudo mode of the older path for written conversations, which the network adapter turns into the path. */
export const olderChatMode = 'older-chat';

/** The older path for written conversations, beside the realtime API's. */
export const olderChatPath = '/ws/chat';

/** WebSocket close codes. */
export const normalClosure = 1000;
export const tryAgainLater = 1013;

/** Microphone to server: 16 kHz mono. */
export const inputRate = 16_000;

/** Server to speaker: 24 kHz mono. */
export const outputRate = 24_000;

/** Default length of sound per message, which servers assume. */
export const defaultChunkMs = 1000;

/** The shortest audio an append may carry: 250 ms. */
export const minAppendSamples = 4000;

/** Documented limits of a session, in seconds; chat has none. */
export const sessionSeconds: Readonly<Record<DuplexMode, number>> = { video: 300, audio: 600 };

/** Documented time until the context is full, in seconds: well before the time limit. */
export const effectiveSeconds: Readonly<Record<DuplexMode, number>> = { video: 90, audio: 480 };

export const contextTokens = 8192;

/** The context of the model on this computer, and the default of model servers. Larger ones speak unevenly. */
export const backendContextTokens = 4096;

/** Known token costs of a frame; other slice counts are interpolated. */
export const frameTokens = { oneSlice: 64, fourSlices: 192 } as const;

/** Context tokens of a sound, with the marks around it. */
export function soundTokens(seconds: number): number {
  return Math.ceil(seconds * 10) + 2;
}

export const maxSlicesPerFrame = 9;

/** The protocol's largest client message: pictures and sound of a whole chat. */
export const maxClientMessageBytes = 128 * 1024 * 1024;

/** The limit of our gateway in a talk: three minutes of sound. Reading a longer message would delay other clients. */
export const maxTalkMessageBytes = 16 * 1024 * 1024;

/** The limit of our gateway before a session: a configure with two reference voices of half a minute. */
export const maxEarlyMessageBytes = 8 * 1024 * 1024;

/**
 * The limit for a server's message, before and after inflation: 49 seconds of sound in a talk, or two minutes
 * of a written answer's speech.
 */
export const maxServerMessageBytes: Readonly<Record<Mode, number>> = {
  audio: 6 * 1024 * 1024,
  video: 6 * 1024 * 1024,
  chat: 16 * 1024 * 1024,
};
