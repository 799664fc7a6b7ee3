import { englishSettingsAssistant } from './settings-assistant.ts';
import { englishSettingsDesktop } from './settings-desktop.ts';
import { englishSettingsKeys } from './settings-keys.ts';
import { englishSettingsTalking } from './settings-talking.ts';

/** Every setting: its name, what it does, and other words by which it may be looked for. */
export const englishSettingsRows = {
  endpoints: {
    list: {
      name: 'Talk to',
      hint: 'Parley talks to the server that is marked, from the next talk or question on.',
      also: 'servers endpoint host demonstration connect gateway',
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
      name: 'Access token',
      hint: 'Goes to this server only and is never shown again.',
      also: 'password key secret api authorization login',
    },
    headers: {
      name: 'Headers',
      hint: 'Sent when the connection is opened. Values are kept with the access token and never shown again.',
      also: 'http',
    },
    query: {
      name: 'Query fields',
      hint: 'Added to the address. Values are kept with the access token and never shown again.',
      also: 'parameters',
    },
    fingerprint: {
      name: 'Trusted certificate',
      hint: 'The SHA-256 fingerprint of the one certificate to trust, for servers that sign their own.',
      also: 'tls ssl fingerprint',
    },
  },
  assistant: englishSettingsAssistant,
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
    chimes: {
      name: 'Sounds while waiting in line',
      hint: 'A soft sound when you move up, and when it is your turn.',
      also: 'chime queue notification',
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
      hint: 'More slices show small print and distant things; each picture takes so many tokens of what the model can remember.',
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
    camera: {
      name: 'Camera',
      hint: 'The one that is opened when you show something by camera.',
      also: 'webcam device',
    },
    mirror: {
      name: 'Mirror the preview',
      hint: 'As you know yourself. Parley sees the picture as it is.',
      also: 'selfie left right',
    },
    flip: {
      name: 'Turn the preview upside down',
      hint: 'For a camera that hangs. Parley sees the picture as it is.',
      also: 'vertical rotate',
    },
  },
  talking: englishSettingsTalking,
  keys: englishSettingsKeys,
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
  desktop: englishSettingsDesktop,
  privacy: {
    keepTalks: {
      name: 'Keep the text of talks',
      hint: 'What was said and the pictures Parley saw, to be read and searched in History.',
      also: 'history transcript captions store save',
    },
    talkDays: {
      name: 'Text of talks: for how long',
      hint: 'What is older goes by itself. Pinned talks stay.',
      also: 'days expire retention delete',
    },
    ownWords: {
      name: 'Write down what you say',
      hint: 'The sound of each phrase is sent once more to the server you talk with, whose model writes it down. It makes mistakes; you can put them right.',
      also: 'transcribe transcription transcript own words speech to text dictation',
    },
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
    tapeSound: {
      name: 'Tapes: their sound',
      hint: 'Ten minutes with camera take some 150, 70 or 50 MB. All but the exact one are rounded to 16 bit, which nobody hears.',
      also: 'quality size flac wav compress',
    },
    holdRecent: {
      name: 'Hold the last two minutes',
      hint: 'In memory only, while you talk without a tape. A button, a key or the tray makes a tape of them; else they are gone.',
      also: 'record recent buffer save tape',
    },
    tapeDays: {
      name: 'Tapes: for how long',
      hint: 'What is older goes by itself.',
      also: 'days expire retention delete',
    },
    days: {
      name: 'Written conversations: for how long',
      hint: 'What is older goes when Parley starts. Pinned conversations stay.',
      also: 'days expire retention delete',
    },
    kept: {
      name: 'What is kept here',
      hint: 'These files are on this machine only. What a server keeps of a talk is not among them.',
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
    log: {
      name: 'Log',
      hint: 'What went wrong here, for a report: nothing that was said or written, no access token.',
      also: 'log file folder crash error',
    },
    diagnostics: {
      name: 'Copy diagnostics',
      hint: 'Versions and settings for a report: no address, no access token, no text of yours.',
      also: 'bug report support debug',
    },
  },
} as const;
