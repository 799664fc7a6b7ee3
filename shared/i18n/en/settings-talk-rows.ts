// The sections Servers, Assistant, Talking, Keys and At the cursor; settings-rows.ts has the others.

export const englishSettingsEndpoints = {
  list: {
    name: 'Talk to',
    hint: 'The chosen server is used from the next talk or question on.',
    also: 'servers endpoint host demonstration connect gateway',
  },
  proxy: {
    name: 'Proxy',
    hint: 'Used for servers on other machines and for updates, from the next connection on. System: what your system is set to.',
    also: 'proxy http socks network company firewall pac environment',
  },
  proxyAddress: {
    name: 'Address of the proxy',
    hint: 'Begins with http://, https:// or socks5:// and ends with a port. Name and password are stored like an access token and never shown again.',
    also: 'proxy host port user name password login authentication',
  },
  url: {
    name: 'Address',
    hint: 'Begins with ws://, wss://, http:// or https://.',
    also: 'url host port endpoint',
  },
  called: {
    name: 'Name',
    hint: 'What you call it. If empty, its address is shown.',
    also: 'label title',
  },
  kind: {
    name: 'Where it runs',
    hint: 'On this computer or network, or hosted for you.',
    also: 'local hosted',
  },
  dialect: {
    name: 'Protocol',
    hint: 'Detected automatically. Set it if that takes too long.',
    also: 'dialect unified legacy',
  },
  token: {
    name: 'Access token',
    hint: 'Goes to this server only and is never shown again.',
    also: 'password key secret api authorization login',
  },
  headers: {
    name: 'Headers',
    hint: 'Sent when connecting. Values are stored like the access token and never shown again.',
    also: 'http',
  },
  query: {
    name: 'Query fields',
    hint: 'Added to the address. Values are stored like the access token and never shown again.',
    also: 'parameters',
  },
  fingerprint: {
    name: 'Trusted certificate',
    hint: 'The SHA-256 fingerprint to trust, for servers that sign their own certificate.',
    also: 'tls ssl fingerprint',
  },
  timeLimit: {
    name: 'Longest session',
    hint: 'In seconds. If empty, 5 minutes with pictures and 10 without, until Parley knows better.',
    also: 'session time limit timeout duration',
  },
  contextLimit: {
    name: 'Memory of a session',
    hint: 'In tokens. If empty, 8192, until Parley knows better.',
    also: 'context window tokens kv cache limit',
  },
  voiceForm: {
    name: 'Voice format',
    hint: 'How an older server reads a reference voice. The documents say WAV, many servers take raw samples.',
    also: 'reference voice float32 wav legacy',
  },
  config: {
    name: 'Further fields',
    hint: 'Sent to this server with each talk, as a JSON object. Fields here win over settings and role; null leaves one out.',
    also: 'config json generation options length_penalty',
  },
} as const;

export const englishSettingsAssistant = {
  preset: {
    name: 'Role',
    hint: 'The first instructions for the assistant. Used from the next talk or question on.',
    also: 'preset role persona system prompt character',
  },
  instructions: {
    name: 'Your own instructions',
    hint: 'Write as you would to a person.',
    also: 'system prompt',
  },
  withoutMemory: {
    name: 'Memory in this role',
    hint: 'Sends what Parley knows of you along with the role.',
    also: 'remember facts about me personal',
  },
  configs: {
    name: 'Further fields of this role',
    hint: 'Sent with each talk in this role, as a JSON object. They win over the settings below; those of a server win over these. null leaves one out.',
    also: 'config json generation options length_penalty',
  },
  lengthPenalty: {
    name: 'Answer length',
    hint: 'Higher makes answers longer, lower makes them shorter.',
    also: 'length penalty short long',
  },
  temperature: {
    name: 'Creativity',
    hint: 'Low is predictable. High is livelier and makes more mistakes.',
    also: 'temperature creativity',
  },
  topK: {
    name: 'Words to choose from',
    hint: 'How many likely next words are considered.',
    also: 'top k sampling',
  },
  topP: {
    name: 'Share of likely words',
    hint: 'Only words within this share of likelihood are considered.',
    also: 'top p nucleus sampling',
  },
  textRepetitionPenalty: {
    name: 'Avoid repeated words',
    hint: 'Above 1 the model avoids what it has just said.',
    also: 'repetition penalty text',
  },
  listenProbScale: {
    name: 'Readiness to listen',
    hint: 'Higher: it stops sooner when you speak. Lower: it speaks more readily and keeps talking.',
    also: 'listen probability scale',
  },
  listenTopK: {
    name: 'Listening rank',
    hint: 'How likely listening must be before it stops speaking and listens.',
    also: 'listen top k',
  },
  maxNewSpeakTokensPerChunk: {
    name: 'Words per step',
    hint: 'The most it says per step. Too few and it stutters. Too many and it is hard to interrupt.',
    also: 'tokens per chunk speak',
  },
  forceListenCount: {
    name: 'Listen first',
    hint: 'It only listens for this many steps at the start.',
    also: 'force listen count',
  },
  generateAudio: {
    name: 'Speak answers',
    hint: 'When off, answers are captions only.',
    also: 'generate audio mute text only',
  },
  lsMode: {
    name: 'When to speak',
    hint: 'A word the server knows. Change it only if the server’s documents say so.',
    also: 'ls mode',
  },
  decodeMode: {
    name: 'How to choose words',
    hint: 'A word the server knows, usually “sampling”.',
    also: 'decode mode greedy sampling',
  },
  ttsTemperature: {
    name: 'Liveliness of the voice',
    hint: 'Low is even. High varies more and may slip.',
    also: 'tts temperature speech',
  },
  ttsRepetitionPenalty: {
    name: 'Avoid repeated sounds',
    hint: 'Above 1 the voice stumbles and drones less.',
    also: 'tts repetition penalty speech',
  },
  chunkMs: {
    name: 'Step length',
    hint: 'How much sound is sent at a time. Shorter is faster if the server keeps up.',
    also: 'chunk milliseconds latency delay',
  },
} as const;

export const englishSettingsTalking = {
  mode: {
    name: 'Mic mode',
    hint: 'Always open, or with a key.',
    also: 'push to talk ptt hold tap open microphone',
  },
  key: {
    name: 'Talk key',
    hint: 'Works while the window is in front.',
    also: 'push to talk ptt shortcut hotkey space',
  },
  everywhere: {
    name: 'A key for all programs',
    hint: 'Lets you talk while you work elsewhere. Parley listens for this key only: no other key is kept or sent.',
    also: 'global hotkey push to talk ptt background other programs system wide',
  },
  globalKey: {
    name: 'Key for all programs',
    hint: 'It works like the talk key. It can be the same one.',
    also: 'global hotkey shortcut push to talk ptt',
  },
  globalTest: {
    name: 'Test it in another program',
    hint: 'Start the test, switch to another program and press the key.',
    also: 'test global hotkey check self-test',
  },
  sounds: {
    name: 'Microphone sounds',
    hint: 'A soft sound when a key opens or closes it.',
    also: 'chime beep open closed',
  },
  startMuted: {
    name: 'Start muted',
    hint: 'For an open microphone. With a talk key it is silent until you press the key.',
    also: 'mute begin privacy silent microphone off tray',
  },
  arrives: {
    name: 'Test the key',
    hint: 'Press it. The field lights up while you hold it.',
    also: 'test key check',
  },
  overlap: {
    name: 'Go on after an “mm-hmm”',
    hint: 'A short sound from you lowers the answer but doesn’t stop it.',
    also: 'overlap backchannel barge in dip',
  },
  shortMs: {
    name: 'Shortest interruption',
    hint: 'A sound up to this long counts as an “mm-hmm”.',
    also: 'overlap length milliseconds',
  },
  longTalks: {
    name: 'When a session ends',
    hint: 'Servers end sessions after a few minutes. The next one knows what Parley said.',
    also: 'limit minutes context hand over continue long',
  },
  answers: {
    name: 'Answers begin',
    hint: 'On a slow server, soon means short gaps and smooth means a little wait.',
    also: 'latency delay gaps stutter buffer soon fast smooth',
  },
  yielding: {
    name: 'Stop when the model stops',
    hint: 'Whether the sound stops at once when the model decides to listen.',
    also: 'yield interrupt stop listen',
  },
} as const;

/** The window's keys, except the talk key. */
export const englishSettingsKeys = {
  interrupt: {
    name: 'Interrupt',
    hint: 'Parley stops talking at once.',
    also: 'shortcut key stop escape',
  },
  mute: {
    name: 'Mute',
    hint: 'Press again to unmute.',
    also: 'shortcut key microphone silence unmute',
  },
  cough: {
    name: 'Hold to mute',
    hint: 'You are muted while you hold it.',
    also: 'shortcut key microphone silence mute',
  },
  pause: {
    name: 'Pause',
    hint: 'Nothing is sent until you press it again.',
    also: 'shortcut key resume',
  },
  end: { name: 'End the talk', hint: 'You can continue it later.', also: 'shortcut key hang up' },
  keepRecent: {
    name: 'Keep the last two minutes',
    hint: 'As a recording. Turn it on under Privacy.',
    also: 'shortcut key record save tape recent',
  },
  doRequest: {
    name: 'Do what I asked',
    hint: 'In a talk, tools do what you said last. Turn them on under Tools.',
    also: 'shortcut key tool request remind call',
  },
  palette: {
    name: 'Commands',
    hint: 'Find anything by typing.',
    also: 'shortcut key palette',
  },
  inspector: {
    name: 'Inspector',
    hint: 'What is sent and received.',
    also: 'shortcut key wire frames',
  },
  shortcuts: {
    name: 'Keyboard shortcuts',
    hint: 'All keys of this window.',
    also: 'shortcut key help overview',
  },
} as const;

/** The small window over other programs. */
export const englishSettingsCursor = {
  enabled: {
    name: 'Use Parley in other programs',
    hint: 'A small window answers questions and takes dictation where you work. Parley listens for its keys only.',
    also: 'cursor quick ask global hotkey launcher overlay anywhere dictate',
  },
  askKey: {
    name: 'Quick ask',
    hint: 'Opens the small window with what you selected at hand.',
    also: 'global hotkey shortcut launcher',
  },
  dictateKey: {
    name: 'Dictate',
    hint: 'Hold it and speak, or tap, speak and tap. A password field can’t be told apart: don’t use it there.',
    also: 'global hotkey shortcut speech to text voice typing password',
  },
  lookKey: {
    name: 'Look at this',
    hint: 'Shows your screen to the talk once, without sharing it.',
    also: 'global hotkey shortcut screenshot picture screen',
  },
  regionKey: {
    name: 'Look at a part',
    hint: 'Shows a part of your screen, which you choose, to the talk once.',
    also: 'global hotkey shortcut screenshot picture region area',
  },
  always: {
    name: 'Always include',
    hint: 'Otherwise each is offered, and goes only if you click it.',
    also: 'selection clipboard window title privacy',
  },
  speakAnswers: {
    name: 'Speak answers',
    hint: 'Reads quick answers aloud.',
    also: 'voice speech read aloud tts',
  },
  dictation: {
    name: 'Dictation',
    hint: 'Word for word, without filler words, or rewritten by one of your actions.',
    also: 'mode verbatim clean filler words punctuation',
  },
  language: {
    name: 'Language of dictation',
    hint: 'If empty, Parley writes the language it hears.',
    also: 'dictate speech recognition',
  },
  words: {
    name: 'Your own words',
    hint: 'One a line: names and words to spell this way. They go along with each dictation.',
    also: 'vocabulary names dictionary spelling jargon',
  },
  firstLanguage: {
    name: 'Your language',
    hint: 'Translate puts other languages into this one.',
    also: 'translate translation',
  },
  secondLanguage: {
    name: 'Your other language',
    hint: 'Translate puts your own language into this one.',
    also: 'translate translation',
  },
  actions: {
    name: 'Actions',
    hint: 'Each is a prompt for the text you selected. {{first}} and {{second}} stand for your languages.',
    also: 'prompt explain translate shorten correct reply summarize rewrite',
  },
} as const;
