import type { Words } from './words.ts';

export const english: Words = {
  language: 'en',
  tagline: 'Talks, listens and sees.',
  hosts: {
    desktop: 'Desktop window',
    browser: 'Browser',
    terminal: 'Terminal',
  },
  runtimeHeading: 'Running on',
  partsHeading: 'Native parts',
  host: 'Host',
  parts: { portaudio: 'Sound (PortAudio)', sharp: 'Pictures (sharp)' },
  checking: 'Checking…',
  unknown: 'Not known',
  loads: 'Loads',
  fails: 'Does not load',
  checkAgain: 'Check again',
  connectionLost:
    'Parley cannot be reached. If it was stopped, start it again and open the address it prints.',
};
