import { englishDesktopMenu } from './desktop-menu.ts';
import { englishDesktopNotifications } from './desktop-notifications.ts';

/** What the desktop says outside of any page. */
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
  newProxy: {
    question: 'Reach servers by the proxy {{server}}?',
    detail:
      'Parley has not used it before. It learns which servers you talk to, and of servers without TLS (ws://) all that is sent. Choose Cancel unless you just entered this address yourself.',
    use: 'Use the proxy',
  },
  interrupt: 'Interrupt',
  mute: 'Mute',
  unmute: 'Unmute',
  /** What the talk key does, as the desktop's own list of shortcuts names it. */
  shortcutName: 'Talk to Parley',
  configUnwritable:
    'Parley cannot open, because it may not write into {{folder}}. Make that folder yours and start Parley again.',
  sandboxNotForRoot:
    'Parley’s window does not open for root, because Linux gives root no sandbox. Start it as an ordinary user.',
  sandboxRefused:
    'Parley cannot open, because this system allows it no sandbox. ' +
    'Install Parley’s package for your system, or allow user namespaces. The guide says how.',
  pageBroken: 'Parley’s window keeps crashing.',
  pageBrokenMore:
    'A talk that goes on is paused, and nothing is sent. Try again, or quit and start Parley anew; ' +
    'its log says what went wrong.',
  tryAgain: 'Try again',
  talkKey: 'Push to talk',
  keepRecent: 'Keep the last two minutes',
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
  notifications: englishDesktopNotifications,
  appMenu: englishDesktopMenu,
  showMain: 'Show Parley',
  showMini: 'Mini window',
  quit: 'Quit Parley',
} as const;
