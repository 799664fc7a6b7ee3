/** Hearing oneself, as the microphone does and as it goes out. */
export const englishOwnSound = {
  record: 'Record five seconds',
  recording: 'Speak now…',
  ways: { captured: 'As the microphone hears you', sent: 'As the server hears you' },
  playing: 'Playing…',
  verdict: {
    unheard: 'Nothing was heard. Check the microphone, then try again.',
    quiet: 'That was too quiet. Move closer, or turn up the microphone.',
    clipped: 'That was too loud and sounds rough. Turn down the microphone.',
    good: 'That was loud enough. Now listen to both.',
  },
  alike: 'Both sound the same now. Noise and loudness are off.',
} as const;
