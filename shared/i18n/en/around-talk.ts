/** What is told of a talk beside its own screen, and of what it needs. */
export const englishAroundTalk = {
  lostDevices: {
    microphone: 'Microphone',
    speaker: 'Speaker',
    both: 'Microphone and speaker',
  },
  idle: {
    server: 'Server',
    addServer: 'Add a server…',
    microphone: 'Microphone',
    systemMicrophone: 'System microphone',
    level: 'Microphone level',
    showLevel: 'Show level',
    hideLevel: 'Hide level',
    recent: 'Recent talks',
  },
  pill: {
    name: 'Your talk',
    open: 'Show it',
    place: '{{position}} of {{length}} in the queue',
    time: '{{time}} long so far',
  },
  capture: { camera: 'Camera on', screen: 'Sharing screen' },
  unread: 'A new answer',
  detailHint: 'More detail fills Parley’s memory sooner.',
  pictureFacts: '{{width}} × {{height}} · {{size}} KB',
  limits: {
    minutes: '{{minutes}} min left',
  },
} as const;
