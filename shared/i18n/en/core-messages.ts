import {
  englishCursorPrompts,
  englishMemoryPrompts,
  englishTalkToolPrompts,
  englishCarryOver,
  englishPhrasePrompt,
  englishPresets,
} from './prompts.ts';

export const englishDesktop = {
  phases: {
    idle: 'Ready',
    connecting: 'Connecting',
    queued: 'Waiting in queue',
    reconnecting: 'Reconnecting',
    ending: 'Ending',
    ended: 'The talk has ended',
  },
  microphoneOpen: 'microphone is open',
  liveStates: {
    live: 'Live',
    muted: 'Live, muted',
    keyUp: 'Live, talk key is up',
    paused: 'Paused',
    trouble: 'Live, no microphone',
  },
  queuePosition: 'place {{position}}',
  start: 'Start talking',
  startMuted: 'Start talking, muted',
  continue: 'Continue',
  end: 'End',
  cancel: 'Cancel',
  leaveQueue: 'Leave queue',
  newServer: {
    question: 'Use the server {{server}}?',
    detail:
      'Parley has not used it before. What you say, write and show is sent there. Choose Cancel unless you just entered this address yourself.',
    use: 'Use the server',
  },
  newCertificate: {
    question: 'Trust this certificate?\n\n{{server}}',
    detail:
      'Whoever has it gets what you say, write and show. Choose Cancel unless the fingerprint is the one that the operator of the server gave you.',
    use: 'Trust it',
  },
  noFingerprint: {
    question: 'Connect to {{server}} without its fingerprint?',
    detail:
      'Parley then accepts every certificate for this address that your system trusts. Choose Cancel unless you just removed the fingerprint, or this server, yourself.',
    use: 'Connect without it',
  },
  newProxy: {
    question: 'Reach servers through the proxy {{server}}?',
    detail:
      'Parley has not used it before. It learns which servers you talk to, and of servers without TLS (ws://) all that is sent. Choose Cancel unless you just entered this address yourself.',
    use: 'Use the proxy',
  },
  newToolServer: {
    question: 'Add this tool server? {{server}}',
    detail:
      'A program runs with your rights and can read your files. An address gets what its tools are asked. Choose Cancel unless you just entered this yourself and trust it.',
    use: 'Add it',
  },
  newToolServers: {
    question: 'Add these tool servers?\n\n{{server}}',
    detail:
      'A program runs with your rights and can read your files. An address gets what its tools are asked. Choose Cancel unless you just entered all of this yourself and trust it.',
    use: 'Add them',
  },
  interrupt: 'Interrupt',
  mute: 'Mute',
  unmute: 'Unmute',
  /** Names of the global keys in the desktop's list of shortcuts. */
  shortcutNames: {
    talk: 'Talk to Parley',
    ask: 'Ask Parley',
    dictate: 'Dictate to Parley',
    look: 'Show the screen to Parley',
    region: 'Show a part of the screen to Parley',
    action: 'Parley: {{action}}',
  },
  configUnwritable:
    'Parley cannot open, because it cannot write to {{folder}}. Make sure that you own this folder, then start Parley again.',
  sandboxNotForRoot:
    'Parley’s window does not open for root, because Linux gives root no sandbox. Start it as an ordinary user.',
  sandboxRefused:
    'Parley cannot open, because this system does not allow it a sandbox. ' +
    'Install Parley’s package for your system, or allow user namespaces. The guide says how.',
  pageBroken: 'Parley’s window keeps crashing.',
  pageBrokenMore:
    'A running talk is paused, and nothing is sent. Try again, or quit and restart Parley; ' +
    'its log says what went wrong.',
  tryAgain: 'Try again',
  talkKey: 'Push to talk',
  keepRecent: 'Keep the last two minutes',
  /** The download of the model on this computer. */
  model: {
    downloading: 'Downloading the model: {{percent}} %',
    downloadingLeft: 'Downloading the model: {{percent}} %, {{minutes}} min left',
    paused: 'The model’s download is paused: {{percent}} %',
    verifying: 'Checking the model: {{percent}} %',
    pause: 'Pause the download',
    resume: 'Continue the download',
  },
  pause: 'Pause',
  resume: 'Resume',
  microphone: 'Microphone',
  speaker: 'Speaker',
  systemDevice: 'System default',
  deviceMissing: '{{name}} (not connected)',
  noDevices: 'No devices found',
  talkingMode: 'Mic mode',
  talkingModes: {
    open: 'Open microphone',
    hold: 'Hold the key',
    tap: 'Tap the key',
    holdOrTap: 'Hold or tap the key',
  },
  recent: 'Recent chats',
  noRecent: 'None yet',
  untitled: 'Untitled',
  /** System notifications. These do not quote the user or the answer, because a locked screen shows them. */
  notifications: {
    noAnswer: {
      title: 'Your question was not answered',
      body: 'Click to see why, and to ask again.',
    },
    answer: { title: 'Your answer is ready', body: 'Click to read it.' },
    turn: { title: 'It’s your turn', body: 'Your talk has started.' },
    time: {
      title: 'The talk ends soon',
      body: 'The server ends it in about a minute.',
    },
    context: {
      title: 'The talk ends soon',
      body: 'The model’s memory is full in about a minute.',
    },
    lost: { title: 'The talk was lost', body: 'Click to see why and to continue.' },
    over: { title: 'The talk is over', body: 'Click to continue it.' },
    modelReady: { title: 'The model is ready', body: 'You can talk on this computer now.' },
    modelFailed: {
      title: 'The model’s download stopped',
      body: 'Click to see why and to continue.',
    },
    keptInTray: {
      title: 'Parley is still here',
      body: 'It stays in the tray. Change this under Settings, Desktop.',
    },
    noTray: {
      title: 'Parley was minimised',
      body: 'There is no tray here. Change this under Settings, Desktop.',
    },
  },
  /** The application menu; `&` precedes the access key. */
  appMenu: {
    file: '&File',
    edit: '&Edit',
    view: '&View',
    window: '&Window',
    help: '&Help',
    about: 'About Parley',
    guide: 'Guide',
    report: 'Report a problem…',
    services: 'Services',
    hide: 'Hide Parley',
    hideOthers: 'Hide others',
    unhide: 'Show all',
    newChat: 'New chat',
    settings: 'Settings…',
    closeWindow: 'Close window',
    quit: 'Quit Parley',
    undo: 'Undo',
    redo: 'Redo',
    cut: 'Cut',
    copy: 'Copy',
    paste: 'Paste',
    pastePlain: 'Paste as plain text',
    delete: 'Delete',
    selectAll: 'Select all',
    talk: 'Talk',
    chat: 'Chat',
    history: 'History',
    resetZoom: 'Actual size',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    fullScreen: 'Full screen',
    minimize: 'Minimise',
    zoom: 'Zoom',
    front: 'Bring all to front',
    miniWindow: 'Mini window',
    reload: 'Reload',
    devTools: 'Developer tools',
  },
  showMain: 'Show Parley',
  showMini: 'Mini window',
  quickAsk: 'Quick ask',
  /** The title of a reminder's notification, which shows the text of the reminder below it. */
  reminder: 'Reminder',
  quit: 'Quit Parley',
} as const;

export const englishTranscript = {
  title: 'A talk with Parley',
  you: 'You',
  demonstration: 'Demonstration',
  onComputer: 'The model on this computer',
  /** The user spoke, but nothing was transcribed. */
  noWords: 'spoken, not written down',
  /** Precedes words that were cut off. */
  notHeard: 'not heard',
  byMachine: 'written down by a machine',
  chatTitle: 'A conversation with Parley',
  picture: 'picture',
  /** Precedes a call of a tool. */
  tool: 'Tool',
  clip: 'sound clip',
  unfinished: 'not finished',
  colon: ': ',
  bracketOpen: ' (',
  bracketClose: ')',
} as const;

export const englishCore = {
  desktop: englishDesktop,
  carryOver: englishCarryOver,
  phrasePrompt: englishPhrasePrompt,
  presets: englishPresets,
  cursor: englishCursorPrompts,
  memory: englishMemoryPrompts,
  talkTools: englishTalkToolPrompts,
  transcript: englishTranscript,
} as const;

/** Texts for system menus, software catalogues and permission prompts; packaging builds them in. */
export const englishPackaging = {
  generic: 'Voice assistant',
  summary: 'Talk with an assistant that listens, sees and answers',
  keywords: 'voice, speech, talk, assistant, chat, captions',
  startTalking: 'Start talking',
  miniWindow: 'Mini window',
  tape: 'Parley recording',
  about:
    'Parley is an assistant that you talk with as with a person: it listens while it speaks, can be interrupted, and sees ' +
    'your camera or your screen if you let it. It speaks with a MiniCPM-o server of your choice, and offline with a demonstration.',
  points: {
    captions: 'Live captions, word for word as they are heard',
    keys: 'Push-to-talk, also while another program has the keyboard',
    history: 'Talks and written conversations, kept on this machine only, and only if you want it',
    replay: 'Recordings that play a talk again as it was',
  },
  picture: 'A talk with captions, and both voices as one ribbon',
  microphone: 'Parley listens to what you say during a talk.',
  camera: 'Parley shows your camera to the server of your talk while you have it switched on.',
} as const;
