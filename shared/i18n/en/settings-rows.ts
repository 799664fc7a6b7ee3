import {
  englishSettingsAssistant,
  englishSettingsCursor,
  englishSettingsEndpoints,
  englishSettingsKeys,
  englishSettingsTalking,
} from './settings-talk-rows.ts';

const englishSettingsMemory = {
  use: {
    name: 'Use the memory',
    hint: 'Sends what is turned on below with each talk and chat, except in Incognito talks.',
    also: 'remember personal facts about me privacy off',
  },
  suggest: {
    name: 'Suggestions',
    hint: 'After a talk or chat that is kept, its server is asked what to remember. Talks need your words written down.',
    also: 'remember automatic propose learn from talks',
  },
  past: {
    name: 'Look into History',
    hint: 'If a question refers to an earlier talk or chat, two passages go along to the server.',
    also: 'we talked about last time remember search passages earlier conversations',
  },
  list: {
    name: 'What Parley knows about you',
    hint: 'If not all of it fits, the first sentences are sent.',
    also: 'remember forget facts personal sentences delete edit sort',
  },
  write: {
    name: 'Tell Parley something',
    hint: 'One short sentence. Don’t write passwords here.',
    also: 'remember add new fact',
  },
} as const;

/** Tools that Parley may use in Chat and Quick ask. */
const englishSettingsTools = {
  clock: {
    name: 'Clock and calculator',
    hint: 'Parley looks at the clock and calculates exactly.',
    also: 'tool time date math calculate numbers mcp function',
  },
  reminders: {
    name: 'Reminders',
    hint: '“Remind me in ten minutes to call home.” They appear while Parley runs.',
    also: 'tool timer alarm notification later mcp function',
  },
  reminderList: {
    name: 'Your reminders',
    hint: 'What Parley will remind you of.',
    also: 'timer alarm cancel',
  },
  files: {
    name: 'Read shared files',
    hint: 'Parley reads the files and folders you share here, and no others.',
    also: 'tool folder documents open read mcp function',
  },
  places: {
    name: 'Shared files and folders',
    hint: 'What a tool reads from them goes to the server that answers.',
    also: 'folder path directory',
  },
  history: {
    name: 'Search History',
    hint: 'Parley looks up what you said before, in the talks and chats you kept.',
    also: 'tool search earlier remember mcp function',
  },
  talks: {
    name: 'Tools in talks',
    hint: 'Say “Remind me…”, “Look up…” or “Calculate…” in a talk. The server’s chat does it meanwhile.',
    also: 'voice request speak call remind look up mcp function',
  },
  servers: {
    name: 'Tool servers',
    hint: 'Programs and services that offer tools by MCP. Each tool is off until you switch it on.',
    also: 'mcp model context protocol plugin extension connector function',
  },
  addServers: {
    name: 'Add tool servers',
    hint: 'Paste the JSON with “mcpServers” that other assistants use. A program runs with your rights.',
    also: 'mcp import claude cursor json config',
  },
  always: {
    name: 'Allowed without asking',
    hint: 'Tools you chose “Always allow” for.',
    also: 'permission consent approve revoke',
  },
} as const;

/** Every setting: name, description, and extra words for the search. */
export const englishSettingsRows = {
  endpoints: englishSettingsEndpoints,
  assistant: englishSettingsAssistant,
  voices: {
    model: {
      name: 'Voice to imitate',
      hint: 'The model hears it first and speaks like it.',
      also: 'reference voice clone llm',
    },
    speech: {
      name: 'Speaking voice',
      hint: 'How answers sound.',
      also: 'reference voice clone tts speech',
    },
    list: {
      name: 'Your voices',
      hint: 'Each is 3 to 15 seconds of one person speaking.',
      also: 'preview listen play hear rename remove delete',
    },
    take: {
      name: 'Add a voice',
      hint: 'Read a few sentences in a quiet room, or choose a WAV file. Use only voices you are allowed to use.',
      also: 'record import wav file microphone',
    },
  },
  audio: {
    microphone: {
      name: 'Microphone',
      hint: 'What Parley hears you with.',
      also: 'input device headset mic',
    },
    whileUnplugged: {
      name: 'If it’s unplugged',
      hint: 'Until the microphone you chose is back. A note in the talk says when the system’s is used.',
      also: 'fallback missing headset disconnected microphone replace',
    },
    inputVolume: {
      name: 'Microphone volume',
      hint: 'Makes your voice louder or softer.',
      also: 'gain volume input level',
    },
    meter: {
      name: 'Test the microphone',
      hint: 'Speak. The bar should move but not reach the end. Nothing is sent or saved.',
      also: 'meter level test check',
    },
    speaker: {
      name: 'Speaker',
      hint: 'Where you hear Parley.',
      also: 'output device headphones headset',
    },
    echo: {
      name: 'Echo of the speaker',
      hint: 'Removes Parley’s voice from the microphone, so that you can talk without headphones.',
      also: 'echo cancellation aec loudspeaker hands-free feedback',
    },
    room: {
      name: 'Your room',
      hint: 'Measures echo and noise, and what Parley can do about them.',
      also: 'room test echo noise headset loudspeaker check',
    },
    noise: {
      name: 'Background noise',
      hint: 'Makes a fan, keys and hum softer, most of all while nobody speaks. A person who talks nearby is still heard; a crowd gets softer.',
      also: 'noise suppression reduction background fan keyboard hum denoise',
    },
    level: {
      name: 'Steady voice',
      hint: 'Brings your voice to the same loudness, near the microphone or far. Gently by up to 9 dB, strongly by up to 18.',
      also: 'automatic gain agc loudness normalize quiet loud microphone',
    },
    playbackVolume: {
      name: 'Volume',
      hint: 'How loud Parley is.',
      also: 'loudness output louder quieter softer turn up down',
    },
    computerVolume: {
      name: 'This computer’s sound',
      hint: 'How loud a film or a call is for the model, with “Hear this computer”.',
      also: 'system audio loopback monitor film video call volume',
    },
    chimes: {
      name: 'Queue sounds',
      hint: 'A soft sound when you move up and when it’s your turn.',
      also: 'chime queue notification',
    },
    test: {
      name: 'Test speaker and microphone',
      hint: 'Plays a short sound and listens for it. Takes about four seconds.',
      also: 'self-test echo latency loopback',
    },
    ownSound: {
      name: 'Hear yourself',
      hint: 'Speak for five seconds, then listen. It stays in memory until you leave this page.',
      also: 'self-test record my voice before after compare',
    },
  },
  vision: {
    slices: {
      name: 'Detail',
      hint: 'More detail shows small print and distant things. It uses more of the model’s memory.',
      also: 'slices resolution hd tokens picture camera',
    },
    rate: {
      name: 'Pictures per second',
      hint: 'At most. A legacy server gets the last one again with every step of sound.',
      also: 'rate fps frames camera',
    },
    budget: {
      name: 'Memory for pictures',
      hint: 'From long conversation to sharp eyes. Parley sends a picture when you speak, when something changes, and now and then.',
      also: 'budget tokens context long conversation sharp eyes minutes save',
    },
    fewerWhenStill: {
      name: 'Fewer when nothing moves',
      hint: 'Parley keeps what it saw last. Saves room in the model’s memory, but not with legacy servers.',
      also: 'still motion save frames',
    },
    camera: {
      name: 'Camera',
      hint: 'The camera to use in talks.',
      also: 'webcam device',
    },
    mirror: {
      name: 'Mirror the preview',
      hint: 'Like in a mirror. Parley sees the real picture.',
      also: 'selfie left right',
    },
    flip: {
      name: 'Flip the preview',
      hint: 'For a camera mounted upside down. Parley sees the real picture.',
      also: 'vertical rotate',
    },
  },
  talking: englishSettingsTalking,
  keys: englishSettingsKeys,
  cursor: englishSettingsCursor,
  memory: englishSettingsMemory,
  tools: englishSettingsTools,
  captions: {
    size: {
      name: 'Caption size',
      hint: 'Text size for everything is under Appearance.',
      also: 'subtitles font large',
    },
    contrast: {
      name: 'Upcoming words',
      hint: 'How clearly words appear that are not spoken yet.',
      also: 'contrast opacity faint subtitles',
    },
  },
  appearance: {
    theme: {
      name: 'Theme',
      hint: 'Light, dark, or like your system.',
      also: 'dark light mode colour',
    },
    textSize: {
      name: 'Text size',
      hint: 'Makes everything larger or smaller.',
      also: 'zoom font large bigger smaller accessibility scale',
    },
    language: {
      name: 'Language',
      hint: 'The language of the window. Parley answers in the language you speak.',
      also: 'chinese english translation 中文',
    },
  },
  desktop: {
    closing: {
      name: 'When the last window is closed',
      hint: 'By default Parley stays in the tray if there is one, or quits. Without a tray, “keep running” minimises the window.',
      also: 'close quit exit tray background minimise keep running',
    },
    autostart: {
      name: 'Start at login',
      hint: 'In the tray, without a window. The microphone stays off until you start a talk.',
      also: 'autostart login startup boot hidden launch switch on computer',
    },
    links: {
      name: 'Open parley:// links with Parley',
      hint: 'A link only suggests a talk. You confirm it. An installed package may have done this already.',
      also: 'deep link url protocol scheme handler default browser',
    },
    updates: {
      name: 'Updates',
      hint: 'Automatic: downloaded when you aren’t talking, in use the next time you open Parley.',
      also: 'update upgrade automatic download release check newest',
    },
    trayClick: {
      name: 'Click on the tray icon',
      hint: 'The other mouse button opens the menu. Some panels open it for both.',
      also: 'tray icon left click status notifier menu bar',
    },
    trayDoubleClick: {
      name: 'Double click on the tray icon',
      hint: 'If this is set, a single click waits a moment for the second one.',
      also: 'tray icon double click',
    },
    trayPanel: {
      name: 'Tray panel colour',
      hint: 'If your system doesn’t say, the icon uses colours that work on both.',
      also: 'tray icon dark light colour contrast taskbar',
    },
    notifyAnswer: {
      name: 'Notify when an answer is ready',
      hint: 'In Chat, while you are in another program.',
      also: 'notifications alert banner answer chat',
    },
    notifyTurn: {
      name: 'Notify when it’s your turn',
      hint: 'When your wait in the queue is over.',
      also: 'notifications alert banner queue place line',
    },
    notifyLimit: {
      name: 'Notify before a talk ends',
      hint: 'A minute before time or memory runs out.',
      also: 'notifications alert banner limit time context',
    },
    notifyLost: {
      name: 'Notify when a talk is lost',
      hint: 'When the server or the network ends it.',
      also: 'notifications alert banner disconnect error',
    },
    notifyModel: {
      name: 'Notify when the model is downloaded',
      hint: 'Also when its download stops.',
      also: 'notifications alert banner download model computer',
    },
  },
  privacy: {
    keepTalks: {
      name: 'Keep the text of talks',
      hint: 'What was said and seen, to read and search in History.',
      also: 'history transcript captions store save',
    },
    talkDays: {
      name: 'Keep text of talks for',
      hint: 'Older ones are put aside, and deleted a week later. Pinned talks stay.',
      also: 'days expire retention delete',
    },
    ownWords: {
      name: 'Write down what you say',
      hint: 'What you say is sent again to the same server, which writes it down. It makes mistakes. You can correct them.',
      also: 'transcribe transcription transcript own words speech to text dictation',
    },
    keepChats: {
      name: 'Keep chats',
      hint: 'So they are still there after a restart.',
      also: 'history chats store save',
    },
    keepTapes: {
      name: 'Record talks',
      hint: 'Your voice, the answers and your pictures, as files on this computer.',
      also: 'record recording tapes store save',
    },
    holdRecent: {
      name: 'Hold the last two minutes',
      hint: 'In memory only, for talks that are not recorded. Save them with a button, a key or the tray.',
      also: 'record recent buffer save tape',
    },
    tapeDays: {
      name: 'Keep recordings for',
      hint: 'Older ones are put aside, and deleted a week later. Recordings of pinned talks stay, and so do last minutes that you saved.',
      also: 'days expire retention delete',
    },
    days: {
      name: 'Keep chats for',
      hint: 'Older ones are put aside, and deleted a week later. Pinned chats stay.',
      also: 'days expire retention delete',
    },
    kept: {
      name: 'Stored on this computer',
      hint: 'These files are on this computer only. What a server keeps is not listed.',
      also: 'storage delete all erase data folder tokens',
    },
  },
  about: {
    versions: {
      name: 'Versions',
      hint: 'What is running.',
      also: 'electron node runtime host update',
    },
    libraries: { name: 'Native parts', hint: 'Whether they work.', also: 'portaudio sharp check' },
    licences: {
      name: 'Licences',
      hint: 'What Parley is built with.',
      also: 'license open source',
    },
    log: {
      name: 'Log',
      hint: 'What went wrong, for a report. No words of yours, no access token.',
      also: 'log file folder crash error',
    },
    diagnostics: {
      name: 'Copy diagnostics',
      hint: 'Versions and settings for a report. No addresses, no access token, no words of yours.',
      also: 'bug report support debug',
    },
  },
} as const;
