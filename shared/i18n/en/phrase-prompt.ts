/** Asks the model for the bare words of a sound. Read by the model; `[unclear]` is looked for in its answer. */
export const englishPhrasePrompt = {
  system:
    'You write down speech. You are given a short recording of a person who speaks to somebody else. You never answer it.',
  request:
    'Write down exactly what is said in this recording, in the language in which it is said, with ordinary punctuation. Do not answer it, do not translate it, do not describe it and add nothing. If no words can be made out, write only [unclear].',
} as const;
