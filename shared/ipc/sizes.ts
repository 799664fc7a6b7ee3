/** A request or an answer without bytes in it. */
export const maxTextFrameLength = 1024 * 1024;

/** One with bytes, such as a recording of 120 MB; what a single request may carry its own check says. */
export const maxBinaryFrameBytes = 128 * 1024 * 1024;
