/**
 * No document says how long a reference voice may be. What is shorter than this holds too few sounds
 * to take after; what is longer adds little, and takes room in the model's context.
 */
export const shortestSeconds = 3;
export const longestSeconds = 15;

/** A take may begin and end with silence, which is trimmed. */
export const longestTakeSeconds = 20;

/** What is imported may be longer: its beginning is taken. */
export const longestImportSeconds = 120;
/** So long at 96 kHz, stereo, in the widest samples. */
export const largestImport = 100_000_000;
