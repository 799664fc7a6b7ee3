/** A request or an answer without bytes in it. */
export const largestText = 1024 * 1024;

/** One with bytes: what any single request may carry is its own check's matter. */
export const largestBinary = 32 * 1024 * 1024;
