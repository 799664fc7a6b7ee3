export const englishMini = {
  title: 'Mini window',
  open: 'Mini window',
  expand: 'Open the large window',
  close: 'Close',
  closeLast: 'End and close Parley',
  standsIn: 'The talk goes on here. Closing this window too ends it.',
  standsInKept: 'The talk goes on here, and it goes on when this window is closed, too.',
  understood: 'I see',
  place: 'Place {{position}} in line',
} as const;
