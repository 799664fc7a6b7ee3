/** How the desktop app behaves: the names of its settings, what they do, and what else they are called. */
export const englishSettingsDesktop = {
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
} as const;
