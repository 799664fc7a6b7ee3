/**
 * How answers begin where a server is slower than its sound lasts: as soon as something is there, at the risk of a
 * short gap; as soon as it should last; or a little later, without stretching a word.
 */
export const answerStarts = ['soonest', 'balanced', 'smoothest'] as const;

export type AnswerStart = (typeof answerStarts)[number];
