/** Wait for the connection to open; TCP, TLS and the upgrade usually take well under a second. */
export const openTimeoutMs = 15_000;

/** Wait for the queue position or the admission, which gateways send as soon as the connection opens. */
export const firstEventTimeoutMs = 20_000;

/**
 * Wait for the server to create the session, before the other dialect is tried: deployed legacy servers stay silent.
 * A unified server that is slower refuses the legacy attempt, which costs one connection.
 */
export const otherDialectTimeoutMs = 20_000;

/** Wait for the server to create the session, if no other dialect remains. It is long, because no attempt follows. */
export const createdTimeoutMs = 60_000;

/**
 * Wait for the session of a chat, if the server last spoke legacy. A server with chat creates it at once, because it has neither
 * voice nor prompt to prepare.
 */
export const legacyChatTimeoutMs = 3_000;

/** A refusal within this time after a configure is its effect; servers need 40 ms, the rest is for the network. */
export const immediateRefusalMs = 5_000;

/** The first dialect, the other, and the first again, because the server may only have been slow at first. */
export const maxConfigures = 3;

/** After a failed hand-over the worker stays busy for about a second, so Parley tries up to this many more times. */
export const maxHandOvers = 4;
export const handOverBackoffMs = 200;
export const handOverJitterMs = 200;

/** Wait for the server's reply to `session.close`, and for the close of the connection. */
export const closeReplyTimeoutMs = 2_000;
export const disconnectTimeoutMs = 1_000;

/** A server with numbered steps sends a text's sound within this time, also after the model listened. */
export const lateSoundAtMostMs = 1_500;

/** A live server that owes an answer and sends nothing for this long is gone. */
export const stallTimeoutMs = 60_000;
/** A chat turn without streaming sends nothing until it is complete. */
export const chatStallTimeoutMs = 180_000;
/** The wait between two parts of a streamed turn. */
export const chatStallBetweenDeltasMs = 60_000;
/** The wait after a malformed frame is shorter, because the frame may have been the turn's end. */
export const chatStallAfterMalformedMs = 20_000;

/** Deltas closer than this belong to one step: no model is faster. */
export const sameStepGapMs = 100;

/** Sound follows its step's text within this time; a whole step takes about a second. */
export const soundAfterTextGapMs = 700;

/** A listen within this time after an interruption is its effect. */
export const recentInterruptMs = 5_000;

/**
 * A listen within this time after speech of the user is its effect; the model yields a step or two after the chunk with
 * the speech.
 */
export const recentVoiceMs = 2_500;

/** An error explains a close that follows within this time. */
export const errorExplainsCloseMs = 5_000;
