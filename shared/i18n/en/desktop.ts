import { englishDesktopMenu } from './desktop-menu.ts';
import { englishDesktopNotifications } from './desktop-notifications.ts';

/** What the desktop says outside of any page. */
export const englishDesktop = {
  phases: {
    idle: 'Ready',
    connecting: 'Connecting',
    queued: 'Waiting in line',
    reconnecting: 'Reconnecting',
    ending: 'Ending',
    ended: 'The talk has ended',
  },
  liveStates: {
    live: 'Live',
    muted: 'Live, muted',
    paused: 'Paused',
    trouble: 'Live, no microphone',
  },
  queuePosition: 'place {{position}}',
  start: 'Start talking',
  continue: 'Go on where we were',
  end: 'End',
  cancel: 'Cancel',
  leaveQueue: 'Leave the line',
  newServer: {
    question: 'Use the server {{server}}?',
    detail:
      'Parley has not used it before. What you say, write and show in a talk with it goes there. Choose Cancel unless you have just entered this address yourself.',
    use: 'Use the server',
  },
  interrupt: 'Interrupt',
  mute: 'Mute',
  unmute: 'Unmute',
  /** What the talk key does, as the desktop's own list of shortcuts names it. */
  shortcutName: 'Talk to Parley',
  pageBroken: 'Parley’s window keeps breaking.',
  pageBrokenMore:
    'A talk that goes on is paused, and nothing is sent. Try again, or quit and start Parley anew; ' +
    'its log says what went wrong.',
  tryAgain: 'Try again',
  talkKey: 'Push to talk',
  keepRecent: 'Keep the last two minutes',
  pause: 'Pause',
  resume: 'Go on',
  microphone: 'Microphone',
  speaker: 'Speaker',
  systemDevice: 'As the system',
  deviceMissing: '{{name}} (not connected)',
  noDevices: 'None can be listed',
  talkingMode: 'How you talk',
  talkingModes: {
    open: 'Open microphone',
    hold: 'While the key is held',
    tap: 'From key press to key press',
    holdOrTap: 'Hold or tap the key',
  },
  recent: 'Recent conversations',
  noRecent: 'None yet',
  untitled: 'Without a title',
  notifications: englishDesktopNotifications,
  appMenu: englishDesktopMenu,
  showMain: 'Show Parley',
  showMini: 'Mini window',
  quit: 'Quit Parley',
} as const;
