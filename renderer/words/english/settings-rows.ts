/** Every setting: its name, what it does, and other words by which it may be looked for. */
export const rows = {
  endpoints: {
    list: {
      name: 'Servers',
      hint: 'Parley talks to the one that is marked.',
      also: 'endpoint host demonstration connect gateway',
    },
    url: {
      name: 'Address',
      hint: 'Begins with ws://, wss://, http:// or https://.',
      also: 'url host port endpoint',
    },
    called: {
      name: 'Name',
      hint: 'How you call it. Without one it goes by its address.',
      also: 'label title',
    },
    kind: {
      name: 'Where it runs',
      hint: 'On this machine or network, or with somebody who runs it for you.',
      also: 'local hosted',
    },
    dialect: {
      name: 'Protocol',
      hint: 'Found out by itself; set it where that takes too long.',
      also: 'dialect unified legacy',
    },
    token: {
      name: 'Token',
      hint: 'Goes to this server only and is never shown again.',
      also: 'password key secret api authorization login',
    },
    headers: { name: 'Headers', hint: 'Sent when the connection is opened.', also: 'http' },
    query: { name: 'Query fields', hint: 'Added to the address.', also: 'parameters' },
    fingerprint: {
      name: 'Trusted certificate',
      hint: 'The SHA-256 fingerprint of the one certificate to trust, for servers that sign their own.',
      also: 'tls ssl fingerprint',
    },
  },
  assistant: {
    preset: {
      name: 'Manner',
      hint: 'What the assistant is told before you begin. It counts from the next talk or question on.',
      also: 'preset role persona system prompt character',
    },
    instructions: {
      name: 'Your own instructions',
      hint: 'Written to the assistant, as you would brief a person.',
      also: 'system prompt',
    },
    lengthPenalty: {
      name: 'Length of answers',
      hint: 'Higher makes answers longer, lower makes them end sooner.',
      also: 'length penalty short long',
    },
    temperature: {
      name: 'Surprise in words',
      hint: 'Low stays with the likeliest words; high is livelier and errs more.',
      also: 'temperature creativity',
    },
    topK: {
      name: 'Words to choose from',
      hint: 'How many of the likeliest next words are considered.',
      also: 'top k sampling',
    },
    topP: {
      name: 'Share of likely words',
      hint: 'Only the likeliest words that together reach this share are considered.',
      also: 'top p nucleus sampling',
    },
    textRepetitionPenalty: {
      name: 'Avoid repeated words',
      hint: 'Above 1 the model avoids what it has just said.',
      also: 'repetition penalty text',
    },
    listenProbScale: {
      name: 'Readiness to listen',
      hint: 'Higher makes it fall silent sooner when you speak; lower makes it talk on.',
      also: 'listen probability scale',
    },
    listenTopK: {
      name: 'Rank of listening',
      hint: 'It may stop to listen only while that is among so many of its likeliest next steps.',
      also: 'listen top k',
    },
    maxNewSpeakTokensPerChunk: {
      name: 'Words a step',
      hint: 'The most it says for each step of sound. Too few make it halt, too many make it hard to interrupt.',
      also: 'tokens per chunk speak',
    },
    forceListenCount: {
      name: 'Listen first',
      hint: 'For so many steps at the start it only listens.',
      also: 'force listen count',
    },
    generateAudio: {
      name: 'Speak answers',
      hint: 'Switched off, answers come as captions only.',
      also: 'generate audio mute text only',
    },
    lsMode: {
      name: 'Way of deciding to speak',
      hint: 'A word that the server knows. Leave it unless whoever runs the server says otherwise.',
      also: 'ls mode',
    },
    decodeMode: {
      name: 'Way of choosing words',
      hint: 'A word that the server knows, usually “sampling”.',
      also: 'decode mode greedy sampling',
    },
    ttsTemperature: {
      name: 'Liveliness of the voice',
      hint: 'Low speaks evenly; high varies more and may slip.',
      also: 'tts temperature speech',
    },
    ttsRepetitionPenalty: {
      name: 'Avoid repeated sounds',
      hint: 'Above 1 the voice stumbles and drones less.',
      also: 'tts repetition penalty speech',
    },
    chunkMs: {
      name: 'Length of a step',
      hint: 'So much sound goes to the server at a time. Shorter answers sooner, where the server keeps up.',
      also: 'chunk milliseconds latency delay',
    },
  },
  voices: {
    model: {
      name: 'Voice to take after',
      hint: 'The model hears it before you begin and speaks in its manner.',
      also: 'reference voice clone llm',
    },
    speech: {
      name: 'Voice to speak with',
      hint: 'How the answer sounds.',
      also: 'reference voice clone tts speech',
    },
    list: {
      name: 'Your voices',
      hint: 'Each is 3 to 15 seconds of one person speaking.',
      also: 'preview listen rename remove delete',
    },
    take: {
      name: 'Add a voice',
      hint: 'Read a few sentences in a quiet room, or take a WAV file. Use only voices you may use.',
      also: 'record import wav file microphone',
    },
  },
  audio: {
    microphone: {
      name: 'Microphone',
      hint: 'When it is unplugged another one stands in until it is back.',
      also: 'input device headset mic',
    },
    inputVolume: {
      name: 'Loudness of the microphone',
      hint: 'What it hears is made so much louder or softer.',
      also: 'gain volume input level',
    },
    meter: {
      name: 'Try the microphone',
      hint: 'Speak: the bar should move and stay clear of the end. Nothing is sent or kept.',
      also: 'meter level test check',
    },
    speaker: {
      name: 'Speaker',
      hint: 'Where Parley is heard.',
      also: 'output device headphones headset',
    },
    playbackVolume: {
      name: 'Volume',
      hint: 'Of Parley, beside the volume of the system.',
      also: 'loudness output',
    },
    test: {
      name: 'Test speaker and microphone',
      hint: 'Plays a short chirp and listens whether it comes back. It takes about four seconds.',
      also: 'self-test echo latency loopback',
    },
  },
  vision: {
    slices: {
      name: 'Detail',
      hint: 'More slices show small print and distant things, and use more of what the model can remember.',
      also: 'slices resolution hd tokens picture camera',
    },
    rate: {
      name: 'Pictures a second',
      hint: 'At most; one goes with each step of sound.',
      also: 'rate fps frames camera',
    },
    fewerWhenStill: {
      name: 'Fewer while nothing moves',
      hint: 'Saves room in the model’s memory.',
      also: 'still motion save frames',
    },
  },
  talking: {
    mode: {
      name: 'How you talk',
      hint: 'With an open microphone, or while a key says so.',
      also: 'push to talk ptt hold tap open microphone',
    },
    key: {
      name: 'Talk key',
      hint: 'It works while the window has the keyboard.',
      also: 'push to talk ptt shortcut hotkey space',
    },
    arrives: {
      name: 'Does the key arrive?',
      hint: 'Press it now: the field lights up for as long as Parley sees it held.',
      also: 'test key check',
    },
    overlap: {
      name: 'Go on after an “mm-hmm”',
      hint: 'A short sound of yours lowers the answer for a moment and does not end it.',
      also: 'overlap backchannel barge in dip',
    },
    shortMs: {
      name: 'What is short',
      hint: 'A sound up to this long counts as an “mm-hmm”.',
      also: 'overlap length milliseconds',
    },
    yielding: {
      name: 'Fall silent when the model yields',
      hint: 'Whether the answer stops at once when the model decides in mid-sentence to listen.',
      also: 'yield interrupt stop listen',
    },
  },
  captions: {
    size: {
      name: 'Size of captions',
      hint: 'Beside the size of all text, which is under Appearance.',
      also: 'subtitles font large',
    },
    contrast: {
      name: 'Words to come',
      hint: 'How clearly words stand there that have not been spoken yet.',
      also: 'contrast opacity faint subtitles',
    },
  },
  appearance: {
    theme: { name: 'Theme', hint: 'Paper by day, ink by night.', also: 'dark light mode colour' },
    textSize: {
      name: 'Size of text',
      hint: 'Everything on the page grows with it.',
      also: 'zoom font large accessibility scale',
    },
    language: {
      name: 'Language',
      hint: 'Of the window. Parley answers in the language you speak.',
      also: 'chinese english translation 中文',
    },
  },
  privacy: {
    keepChats: {
      name: 'Keep written conversations',
      hint: 'So that they are there again after a restart.',
      also: 'history chats store save',
    },
    keepTapes: {
      name: 'Keep a tape of each talk',
      hint: 'Your voice, the answers and the pictures you showed, as files on this machine.',
      also: 'record recording tapes store save',
    },
    days: {
      name: 'For how long',
      hint: 'What is older goes when Parley starts. Pinned conversations stay.',
      also: 'days expire retention delete',
    },
    kept: {
      name: 'What is kept here',
      hint: 'All of it is on this machine and nowhere else.',
      also: 'storage delete all erase data folder tokens',
    },
  },
  about: {
    versions: {
      name: 'Versions',
      hint: 'What runs here.',
      also: 'electron node runtime host update',
    },
    parts: { name: 'Native parts', hint: 'Whether they load.', also: 'portaudio sharp check' },
    licences: {
      name: 'Licences',
      hint: 'Of what Parley is built from.',
      also: 'license open source',
    },
    diagnostics: {
      name: 'Copy diagnostics',
      hint: 'Versions and settings for a report: no address, no token, no text of yours.',
      also: 'bug report support debug',
    },
  },
} as const;
