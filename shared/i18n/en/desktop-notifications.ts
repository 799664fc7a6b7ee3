/** The system's notifications: nothing that was said or written stands in them, because a locked screen shows them. */
export const englishDesktopNotifications = {
  answer: { title: 'The answer is there', body: 'Click to read it.' },
  turn: { title: 'It is your turn', body: 'Your place in the line was reached: the talk is live.' },
  time: {
    title: 'The talk ends soon',
    body: 'The server’s time for it is over in about a minute.',
  },
  context: {
    title: 'The talk ends soon',
    body: 'The model’s memory for it is full in about a minute.',
  },
  lost: { title: 'The talk was lost', body: 'Click to see why, and how it can go on.' },
  keptInTray: {
    title: 'Parley is still here',
    body: 'It stays in the tray; quit it there. Settings, Desktop, decides what closing does.',
  },
  noTray: {
    title: 'Parley was minimised',
    body: 'This desktop shows no tray. Settings, Desktop, decides what closing does.',
  },
} as const;
