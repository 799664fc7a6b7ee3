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
  showMain: 'Show Parley',
  showMini: 'Mini window',
  quit: 'Quit Parley',
} as const;
