/** Wait for the connection to open; TCP, TLS and the upgrade usually take well under a second. */
export const openTimeoutMs = 15_000;

/** Wait for the queue position or the admission, which gateways send as soon as the connection opens. */
export const firstEventTimeoutMs = 20_000;

/**
 * Wait for the session before the other dialect is tried, because deployed legacy servers stay silent.
 * A unified server that is slower refuses the legacy attempt, which costs one connection.
 */
export const otherDialectTimeoutMs = 20_000;

/** The same wait if no other dialect remains, so that a long wait costs nothing. */
export const createdTimeoutMs = 60_000;

/** The same wait in a chat, for a server that last spoke legacy. A server with chat confirms an init without voice or prompt at once. */
export const legacyChatTimeoutMs = 3_000;

/** A refusal within this time after a configure is its effect; servers need 40 ms, the rest is for the network. */
export const immediateRefusalMs = 5_000;

/** The first dialect, the other, and the first again, because the server may only have been slow at first. */
export const maxConfigures = 3;

/** A failed hand-over lasts until the worker is free again: about a second. */
export const maxHandOvers = 4;
export const handOverBackoffMs = 200;
export const handOverJitterMs = 200;

/** Wait for the server's reply to `session.close`, and for the close of the connection. */
export const closeReplyTimeoutMs = 2_000;
export const disconnectTimeoutMs = 1_000;

/** Cap of unanswered appends: the server works on one, one waits there, and one is on the wire. */
export const maxUnansweredAppends = 3;

/**
 * While a server sends a flood of events, its answers are read late. One more append is then allowed for each of this
 * many events, for at most `maxFloodMs`. No single step brings so many.
 */
export const outputsPerAppend = 64;
export const maxFloodMs = 12_000;

/** Chunks kept beyond the cap; sound older than about three seconds no longer helps a conversation. */
export const maxPendingChunks = 3;

/**
 * Documented servers drop appends silently. After this time without any answer, all unanswered
 * appends count as lost.
 */
export const lostAppendTimeoutMs = 5_000;
export const lostAppendTimeoutWithEchoMs = 30_000;

/**
 * An append of a server with numbered steps counts as lost after this time, counted from the end of
 * the step before. A step takes less than a second; a slower server gets twice its longest step.
 */
export const silentStepMs = 1_500;
export const silentStepAtMostMs = 3_000;

/**
 * The same time before the server's first answer. It is below three seconds, so that the fourth
 * second of sound is sent on time if three answers are lost.
 */
export const firstStepMs = 2_500;

/** A server with numbered steps sends a text's sound within this time, also after the model listened. */
export const lateSoundAtMostMs = 1_500;

/** A live server that owes an answer and sends nothing for this long is gone. */
export const stallTimeoutMs = 60_000;
/** A chat turn without streaming sends nothing until it is complete. */
export const chatStallTimeoutMs = 180_000;
/** A streamed turn continues in parts. */
export const chatStallBetweenDeltasMs = 60_000;
/** The malformed frame may have been the turn's end. */
export const chatStallAfterMalformedMs = 20_000;

/** Deltas closer than this belong to one step: no model is faster. */
export const sameStepGapMs = 100;

/** Sound follows its step's text within this time; a whole step takes about a second. */
export const soundAfterTextGapMs = 700;

/** A listen within this time after an interruption is its effect. */
export const recentInterruptMs = 5_000;

/** A listen within this time after a voice is its effect; the model yields a step or two after the chunk with the voice. */
export const recentVoiceMs = 2_500;

/** An error explains a close that follows within this time. */
export const errorExplainsCloseMs = 5_000;
