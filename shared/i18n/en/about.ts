export const englishAbout = {
  technical: 'Technical details',
  runtimeHeading: 'Running on',
  partsHeading: 'Native parts',
  host: 'Host',
  hosts: { desktop: 'Desktop window', browser: 'Browser', terminal: 'Terminal' },
  parts: { portaudio: 'Sound (PortAudio)', sharp: 'Pictures (sharp)' },
  states: {
    checking: 'Checking…',
    unknown: 'Not known',
    loads: 'Loads',
    fails: 'Does not load',
  },
  checkAgain: 'Check again',
} as const;
