/** A link that proposes a talk: what it would do, before the person says yes. */
export const englishStartLink = {
  question: 'Start a talk?',
  why: 'A link in another program suggests it. Nothing has started yet.',
  preset: 'Role',
  server: 'With',
  busy: 'A talk is going on. End it first, then open the link again.',
  start: 'Start talking',
  no: 'Not now',
  refused: 'The link was not opened',
  close: 'Close',
} as const;
