/** A link that proposes a talk: what it would do, before the person says yes. */
export const englishStartLink = {
  question: 'Start a talk?',
  why: 'A link that was opened in another program proposes it. Nothing has begun.',
  preset: 'Manner',
  server: 'With',
  busy: 'A talk is going on: end it first, and open the link again.',
  start: 'Start talking',
  no: 'Not now',
  refused: 'A link was not followed',
  close: 'Close',
} as const;
