/** TCP, TLS and the upgrade take well under a second; a person should not wait without a sign for longer. */
export const openTimeoutMs = 15_000;

/** A gateway sends the place in the queue, or the admission, as soon as the connection is open. */
export const firstEventTimeoutMs = 20_000;

/**
 * Silence after a configure is how deployed legacy servers answer `session.init`. Creating a session
 * takes a few seconds where prompt and voice are long; a server that is slower than this loses one
 * connection, not the session: the legacy attempt is refused at once and unified is tried again.
 */
export const otherDialectTimeoutMs = 20_000;

/** The same wait where nothing else is left to try, so that patience costs nothing. */
export const createdTimeoutMs = 60_000;

/**
 * In chat nothing else can be tried, and an init without voice or prompt is confirmed at once: of a server that spoke
 * the legacy dialect last no more is waited for.
 */
export const legacyChatTimeoutMs = 3_000;

/** "Right after" a configure or an admission: servers in use need 40 ms, the rest is for the network. */
export const immediateRefusalMs = 5_000;

/** Unified, legacy and unified again (or the other way round): the first silence may have been slowness. */
export const maxConfigures = 3;

/** Failed hand-overs last as long as the worker needs to be free again: about a second. */
export const maxHandOvers = 4;
export const handOverBackoffMs = 200;
export const handOverJitterMs = 200;

/** How long a server has to confirm `session.close`, and then to close the connection. */
export const closeReplyTimeoutMs = 2_000;
export const disconnectTimeoutMs = 1_000;

/** Uplink: appends on their way or being worked: one in work, one waiting, one on the wire. */
export const maxUnansweredAppends = 3;

/**
 * A server that pours out events is heard later than it speaks: its answers to our appends wait behind what was not read
 * yet. For each so many events without an answer, one append more may be on its way. No step brings as many. A server that
 * has not answered the oldest append for so long while it poured is not going to: a number of appends would say so the
 * sooner, the shorter they are.
 */
export const outputsPerAppend = 64;
export const maxFloodMs = 12_000;

/** Chunks kept unsent over the cap; what is older than about three seconds is no conversation any more. */
export const maxPendingChunks = 3;

/**
 * Documented servers drop appends silently, and without echo nobody can say which: when nothing has
 * been answered for so long, what is unanswered counts as lost. Servers that echo do not drop.
 */
export const lostAppendTimeoutMs = 5_000;
export const lostAppendTimeoutWithEchoMs = 30_000;

/**
 * How long an append of a server that numbers its steps may stay unanswered, counted from the end of
 * the step before it. A step takes less than a second; a slower server gets twice its own time.
 */
export const silentStepMs = 1_500;
export const silentStepAtMostMs = 3_000;

/**
 * So long an append may stay unanswered before the server's first answer of a session: less than three seconds,
 * so that the fourth second is sent when it is due, also where the first three answers are lost.
 */
export const firstStepMs = 2_500;

/** A server that numbers its steps sends the sound of a text within this, also after the model listened. */
export const lateSoundAtMostMs = 1_500;

/** A live server that says nothing at all for so long, though it owes an answer, is gone. */
export const stallTimeoutMs = 60_000;
/** A chat turn that is not streamed says nothing until it is complete. */
export const chatStallTimeoutMs = 180_000;
/** One that is streamed has begun, and goes on in pieces. */
export const chatStallBetweenDeltasMs = 60_000;
/** A frame that could not be read may have been the turn's end. */
export const chatStallAfterMalformedMs = 20_000;

/** Deltas closer than this come of one step: no model makes a step so fast. */
export const sameStepGapMs = 100;

/** The sound of a step follows its text within this; a step as a whole takes about a second. */
export const soundAfterTextGapMs = 700;

/** A listen this soon after an interruption is taken for its effect. */
export const recentInterruptMs = 5_000;

/** The model hears a voice in the chunk that brings it, and yields a step or two later. */
export const recentVoiceMs = 2_500;

/** An error explains the close that follows it, if it follows so soon. */
export const errorExplainsCloseMs = 5_000;
