/** The system's notifications: nothing that was said or written stands in them, because a locked screen shows them. */
export const englishDesktopNotifications = {
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
  keptInTray: {
    title: 'Parley is still here',
    body: 'It stays in the tray. Change this under Settings, Desktop.',
  },
  noTray: {
    title: 'Parley was minimised',
    body: 'There is no tray here. Change this under Settings, Desktop.',
  },
} as const;
