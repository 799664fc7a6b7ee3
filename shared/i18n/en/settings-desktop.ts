/** How the desktop app behaves: the names of its settings, what they do, and what else they are called. */
export const englishSettingsDesktop = {
  closing: {
    name: 'When the last window is closed',
    hint: 'As usual here: Parley stays in the tray where there is one, and quits where there is none. Kept without a tray, its window is minimised.',
    also: 'close quit exit tray background minimise keep running',
  },
  autostart: {
    name: 'Start with the computer',
    hint: 'When you log in, in the tray and without a window. No microphone opens before you start a talk.',
    also: 'autostart login startup boot hidden launch',
  },
  links: {
    name: 'Open parley:// links with Parley',
    hint: 'A link only proposes a talk, which you confirm. A package installed by the system may have done this already.',
    also: 'deep link url protocol scheme handler default browser',
  },
  trayClick: {
    name: 'A click on the tray icon',
    hint: 'The other button of the mouse opens its menu. Some panels open the menu for both.',
    also: 'tray icon left click status notifier menu bar',
  },
  trayDoubleClick: {
    name: 'A double click on it',
    hint: 'Where this does something, a single click waits a third of a second for the second one.',
    also: 'tray icon double click',
  },
  trayPanel: {
    name: 'The panel behind the icon',
    hint: 'Where the system does not say how its panel looks, the icon has inks that are seen on both.',
    also: 'tray icon dark light colour contrast taskbar',
  },
  notifyAnswer: {
    name: 'Say when an answer is there',
    hint: 'A written one that came to its end while you were in another program.',
    also: 'notifications alert banner answer chat',
  },
  notifyTurn: {
    name: 'Say when it is your turn',
    hint: 'When your place in the line was reached.',
    also: 'notifications alert banner queue place line',
  },
  notifyLimit: {
    name: 'Say when a talk is about to end',
    hint: 'A minute before the server’s time or the model’s memory runs out.',
    also: 'notifications alert banner limit time context',
  },
  notifyLost: {
    name: 'Say when a talk was lost',
    hint: 'When the server or the network ended it.',
    also: 'notifications alert banner disconnect error',
  },
} as const;
