/** What the test of speaker and microphone has found of the room. */
export const englishRoomHeard = {
  echo: {
    hardly: 'The microphone hardly hears the speaker, as with headphones.',
    some: 'The microphone hears the speaker.',
    loud: 'The microphone hears the speaker as loud as you.',
  },
  echoLeft: 'That goes to the server. To talk without headphones, turn on “Echo of the speaker”.',
  echoTaken: 'In a talk Parley takes it out.',
  noise: {
    quiet: 'The room is quiet.',
    some: 'There is some noise in the room.',
    loud: 'The room is loud.',
  },
  noiseLeft: '“Background noise” would make it softer.',
  noiseTaken: 'Parley makes it softer.',
  both: '{{what}} {{done}}',
} as const;
