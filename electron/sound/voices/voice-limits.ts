/**
 * No document says how long a reference voice may be. What is shorter than this holds too few sounds
 * to take after; what is longer adds little, and takes room in the model's context.
 */
export const minReferenceSeconds = 3;
export const maxReferenceSeconds = 15;

/** A take may begin and end with silence, which is trimmed. */
export const maxRecordingSeconds = 20;

/** What is imported may be longer: its beginning is taken. */
export const maxImportSeconds = 120;
