export const englishRoomTest = {
  open: 'Test this room',
  talking: 'Not during a talk. End it first.',
  steps: {
    quiet: 'Parley listens to the quiet room.',
    alone: 'It plays a voice. Stay quiet until it ends.',
    over: 'It plays the voice again. Speak over it, as you would in a talk.',
  },
  stays:
    'This takes half a minute. It all stays on this computer, and is saved only if you say so.',
  start: 'Begin',
  ready: 'I’m ready',
  now: {
    opening: 'Opening the microphone and the speaker…',
    quiet: 'Please be quiet. Parley listens to the room…',
    alone: 'A voice is playing. Stay quiet until it ends…',
    ready: 'Your turn: the voice plays again, and you speak over it.',
    over: 'Speak now, as in a talk, until the voice ends…',
    judging: 'Working out the result…',
  },
  progress: 'How far this step is',
  stopped: 'Stopped. Nothing was kept.',
  thrownAway: 'Thrown away. Nothing was kept.',
  unkept: 'Keep the recording only if you want it. Your voice is in it.',
  keep: 'Keep the recording…',
  throwAway: 'Throw away',
  kept: 'The recording is in {{path}}',
  again: 'Test again',
  judged: {
    noise: { quiet: 'Noise: quiet', some: 'Noise: some', loud: 'Noise: loud' },
    echo: {
      none: 'No echo is heard: a headset, or the volume is down.',
      soft: 'Echo: softer than the noise',
      taken: 'Echo: heard, and removed',
      left: 'Echo: heard, and partly removed',
    },
    echoOver:
      '{{over}} dB above the noise, {{late}} ms late; reduced by {{taken}} dB, at worst {{worst}}',
    echoUnder:
      '{{over}} dB below it, {{late}} ms late; reduced by {{taken}} dB, at worst {{worst}}',
    person: {
      silent: 'Your voice: not heard. Speak louder, or move closer to the microphone.',
      unheard: 'Your voice: not louder than the echo. Speak up, or lower the volume.',
      heard: 'Your voice: heard over the echo',
      softer: 'Your voice: heard over the echo, but quieter',
    },
    personFigures: '{{lost}} dB quieter',
    advice: {
      clipped: 'The sound is too loud for the microphone. Turn it down, or the speaker.',
      noise: 'The room is loud. A headset helps, or a microphone nearer to you.',
      echoLeft: 'Lower the volume, move the microphone away from the speaker, or use a headset.',
      late: 'The speaker is late, as over Bluetooth. It may interrupt the first answer. A cable helps.',
      person: 'To be heard well, speak louder, lower the volume, or use a headset.',
    },
    mute: 'The microphone delivers only silence. It may be muted, or the system does not let {{who}} use it.',
    unplayed: 'The speaker played no audible sound. Turn up the volume in the settings.',
  },
} as const;

export const englishRooms = {
  room: {
    echo: {
      hardly: 'The microphone hardly hears the speaker, as with headphones.',
      some: 'The microphone hears the speaker.',
      loud: 'The microphone hears the speaker as loud as you.',
    },
    echoLeft:
      'That echo goes to the server. To talk without headphones, turn on “Echo of the speaker”.',
    echoTaken: 'In a talk Parley removes it.',
    noise: {
      quiet: 'The room is quiet.',
      some: 'There is some noise in the room.',
      loud: 'The room is loud.',
    },
    noiseLeft: '“Background noise” would make it softer.',
    noiseTaken: 'Parley makes it softer.',
    both: '{{what}} {{done}}',
  },
  roomTest: englishRoomTest,
} as const;

/** Listening to one's own voice, as captured and as sent. */
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
