export const englishMini = {
  title: 'Mini window',
  open: 'Mini window',
  expand: 'Open the large window',
  close: 'Close',
  closeLast: 'End and close Parley',
  standsIn: 'The talk goes on here. Closing this window ends it.',
  standsInKept: 'The talk goes on here, even if you close this window.',
  understood: 'Got it',
  place: 'Place {{position}} in queue',
} as const;
