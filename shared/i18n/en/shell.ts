/** What buttons are called that do the same in many places. */
export const englishButtons = {
  again: 'Try again',
  cancel: 'Cancel',
  close: 'Close',
  copy: 'Copy',
  delete: 'Delete',
  done: 'Done',
  edit: 'Edit',
  folder: 'Show in folder',
  pin: 'Pin',
  rename: 'Rename',
  save: 'Save',
  saveAs: 'Save…',
  send: 'Send',
  stop: 'Stop',
  unpin: 'Unpin',
} as const;

export const englishShell = {
  captionSizes: { 28: 'Medium', 38: 'Large', 50: 'Huge' },
  /** One of several choices, a button of one row, a note on one file. */
  under: '{{what}}: {{which}}',
  find: 'What would you like to do?',
  nothingFound: 'No results',
  clearSearch: 'Clear search',
  dismiss: 'Dismiss',
  undo: {
    deleted: '“{{title}}” was deleted.',
    taped: '“{{title}}” and its recording were deleted.',
    several: 'Deleted: {{count}}.',
    severalTaped: 'Deleted with their recordings: {{count}}.',
    message: 'Message deleted.',
    removed: '“{{title}}” was removed.',
    undo: 'Undo',
  },
  /** What a page tells that was loaded because something went wrong. */
  recovery: {
    pageCrashed: 'This window crashed and was reopened.',
    pageHung: 'This window stopped responding and was reopened.',
    talkGoesOn: 'Your talk went on. A talk key you were holding was released.',
    restarted: 'Parley crashed and restarted. The log says what went wrong.',
    safeStart:
      'Parley could not start, so it started in safe mode. The tray and the graphics card are off, and the system’s microphone and speaker are used. Your settings are untouched. Quit and start Parley again to get everything back.',
  },
  /** In a place of the page that could not be drawn. */
  broken: {
    text: 'This part of the window crashed. Everything else works.',
    again: 'Try again',
    copyFailed: 'Could not copy.',
  },
  connectionLost:
    'Can’t reach Parley. If it was stopped, start it again and open the address it prints.',
} as const;

/** The commands: how they are grouped, and other words by which one may look for them. */
export const englishPalette = {
  groups: {
    replay: 'Replay',
    talk: 'This talk',
    places: 'Go to',
    chats: 'Talks and chats',
    servers: 'Servers',
    sound: 'Microphone and speaker',
    voices: 'Voices',
    looks: 'Look and language',
    settings: 'Settings',
    examples: 'Examples',
    program: 'The program',
  },
  newChat: 'New chat',
  quit: 'Quit Parley',
  about: 'About Parley',
  talkKey: 'Change the talk key',
  deleteAll: 'Delete everything…',
  also: {
    start: 'begin call speak voice microphone conversation new talk',
    startSeeing: 'video webcam see show call',
    startSharing: 'share present monitor display window video see show',
    incognito: 'private secret record history off',
    goOn: 'continue resume go on last talk again carry on',
    end: 'stop hang up finish close quit talk',
    interrupt: 'stop be quiet silence shut up',
    mute: 'microphone silence mic off on',
    pause: 'hold break wait resume continue',
    keepRecent: 'record save tape replay clip',
    talking: 'push to talk ptt open microphone mode hold tap key',
    examples: 'demo tape replay watch try',
    places: {
      talk: 'speak voice call home',
      chat: 'write type text message conversation',
      history: 'past talks recordings tapes transcript old search',
      settings: 'preferences options configure setup',
    },
    newChat: 'begin start write conversation message',
    mini: 'small window always on top picture float compact',
    settings: 'preferences options',
    inspector: 'debug wire network frames latency graph developer',
    shortcuts: 'keys keyboard hotkeys help',
    guide: 'help manual how to documentation instructions',
    report: 'bug problem feedback issue help support',
    about: 'version licence info help',
    quit: 'exit close leave stop',
    themes: {
      light: 'light bright white day paper mode',
      dark: 'dark black night ink mode',
      system: 'auto automatic mode',
    },
    language: 'translate english chinese 语言',
    textSize: {
      larger: 'bigger text zoom in increase magnify everything',
      smaller: 'tiny text zoom out decrease reduce everything',
    },
    captionSize: 'font bigger smaller larger subtitles',
    talkKey: 'push to talk ptt hotkey shortcut set another',
    deleteAll: 'erase remove clear wipe',
    testServer: 'check try reach ping server works',
    server: 'endpoint host connect switch',
    microphone: 'mic input headset device sound',
    speaker: 'output headphones headset device sound volume',
    voice: 'sound speak clone tts',
  },
} as const;

/** The list of keys, and what each of them does. */
export const englishShortcuts = {
  groups: {
    everywhere: 'Everywhere',
    talk: 'In a talk',
    chat: 'In Chat',
    history: 'In History',
    part: 'Choosing part of the picture',
    inspector: 'In the inspector’s list',
    mini: 'In the mini window',
  },
  lines: {
    places: 'Go to Talk, Chat, History, Settings',
    search: 'Search on this screen',
    shortcuts: 'This list',
    close: 'Close',
    talkKey: 'Hold or tap to talk',
    globalKey: 'The same from any program',
    newLine: 'New line',
    paste: 'Paste a picture',
    stopEditing: 'Cancel editing',
    playReplay: 'Play or pause',
    farther: 'Back or forward 5 seconds',
    nearer: 'Back or forward 1 second',
    byWord: 'Previous or next word',
    byEvent: 'Previous or next event',
    toEnds: 'Start or end',
    speed: 'Slower or faster',
    movePart: 'Move the part',
    sizePart: 'Resize the part',
    walk: 'Up and down',
    ends: 'First or last',
    closeWindow: 'Close the window',
  },
  or: 'or',
} as const;

export const englishKeys = {
  Space: 'Space',
  Control: 'Ctrl',
  Alt: 'Alt',
  Shift: 'Shift',
  Meta: 'Meta',
  left: 'left %',
  right: 'right %',
  none: 'no key',
  numpad: '% on the number pad',
} as const;

/** A link that proposes a talk: what it would do, before the person says yes. */
export const englishStartLink = {
  question: 'Start a talk?',
  why: 'A link in another program suggests it. Nothing has started yet.',
  server: 'With',
  busy: 'A talk is going on. End it first, then open the link again.',
  no: 'Not now',
  refused: 'The link was not opened',
} as const;

export const englishFirstRun = {
  name: 'First steps',
  count: '{{step}} of {{steps}}',
  next: 'Next',
  back: 'Back',
  skip: 'Skip setup',
  later: 'Not now',
  language: {
    title: 'Welcome to Parley.',
    text: 'Which language should the window use? You can change everything later.',
  },
  microphone: {
    title: 'Can it hear you?',
    text: 'Parley needs your microphone to talk with you. This only shows how loud you are. Nothing is saved or sent until you start a talk. Your system may ask for permission.',
    check: 'Check the microphone',
    opening: 'Opening the microphone…',
    speak: 'Say something. The bar should grow.',
    heard: 'Parley can hear you.',
    level: 'How loud you are',
  },
  server: {
    title: 'Who do you want to talk with?',
    text: 'The demonstration answers at once, with recorded sentences. A model that understands you runs on a server.',
    demonstration: 'The demonstration',
    demonstrationText: 'Built in: no network, no account, nothing to set up.',
    own: 'My own server',
    ownText: 'A MiniCPM-o Realtime server that you or someone else runs.',
    token: 'Access token, if it asks for one',
    trying: 'Trying the server…',
  },
} as const;

/** How Parley is used, in the window. */
export const englishGuide = {
  title: 'Guide',
  sections: 'Parts of the guide',
  search: 'Search the guide',
  clear: 'Clear',
  nothing: 'Nothing in the guide has these words.',
} as const;

export const englishInspector = {
  open: 'Open the inspector',
  close: 'Close the inspector',
  showGraphs: 'Show graphs',
  hideGraphs: 'Hide graphs',
  graphs: { buffer: 'Buffer', latency: 'Latency', context: 'Context', levels: 'Levels' },
  lines: {
    buffer: 'waiting',
    target: 'wanted',
    roundTrip: 'round trip',
    serverStep: 'server step',
    wireToSound: 'to sound',
    micToWire: 'to wire',
    interruptToSilence: 'to silence',
    tokens: 'tokens left',
    you: 'you',
    parley: 'Parley',
  },
  memory: 'Memory',
  memoryParts: { pictures: 'pictures', sound: 'sound', words: 'words', left: 'left' },
  estimated: 'about {{tokens}}',
  unanswered: 'Since the last answer',
  unansweredParts: '{{seconds}} s of speech heard, {{steps}} steps only listened to',
  find: 'Find in events',
  direction: 'Direction',
  directions: { all: 'All', out: 'Sent', in: 'Received' },
  marks: {
    out: 'sent',
    in: 'received',
    opened: 'Connection {{connection}} opened',
    ended: 'Connection {{connection}} ended',
  },
  unnamed: 'without a type',
  pause: 'Pause',
  goOn: 'Resume',
  clear: 'Clear',
  counts: '{{shown}} of {{passed}} events',
  missed: '{{missed}} came too fast to be shown.',
  events: 'Events',
  none: 'Nothing yet. What is sent and received is shown while this is open.',
  detail: 'Event',
  notCopied: 'Could not copy',
  closeDetail: 'Close the event',
} as const;

/** The sheet in which a report of a problem is looked at before it is saved. */
export const englishReport = {
  action: 'Report a problem…',
  title: 'Report a problem',
  making: 'Preparing…',
  why: 'This makes a file for support. Nothing is sent.',
  talk: 'Includes the talk of {{when}}.',
  inside: 'Words, voices, pictures and names are made unrecognisable.',
  unrecorded: 'This talk was not recorded. Only facts and the log are included.',
  recent:
    'Its last two minutes are still in memory. If you save them, they are added, made unrecognisable.',
  untaped: 'Only facts and the log are included, no recording.',
  files: 'What is included',
  file: '{{name}}, {{size}}',
  look: 'Contents of {{name}}',
  unsent: 'Nothing was sent.',
} as const;

export const englishAbout = {
  technical: 'Technical details',
  runtimeHeading: 'Running on',
  host: 'Host',
  hosts: { desktop: 'Desktop window', browser: 'Browser', terminal: 'Terminal' },
  parts: { portaudio: 'Sound (PortAudio)', libvips: 'Pictures (libvips)' },
  states: {
    checking: 'Checking…',
    unknown: 'Not known',
    loads: 'Loads',
    fails: 'Does not load',
  },
  checkAgain: 'Check again',
} as const;
