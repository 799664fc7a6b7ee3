/** What the core tells by a code; the codes and their facts are in `shared/why-codes.ts`. */
export const englishWhyBasics = {
  // Sound devices.
  noMicrophone: 'There is no microphone on this machine: connect one.',
  noSpeaker: 'There is no speaker on this machine: connect one.',
  missing: 'The device that was chosen is not there: connect it, or choose another one.',
  silent: 'The sound device does not answer: choose another one, or wait.',
  taken:
    'The sound device is taken by another program or gone: close that program, or choose another device.',
  broken: 'The sound device cannot be opened: choose another one.',
  noSound: 'There is no sound here: install Parley again.',
  hangs: 'The sound system does not answer: restart it, or wait; Parley goes on trying.',
  // Connections.
  noSuchServer: 'There is no server called {{server}}: check the address.',
  noName: 'The name {{server}} cannot be looked up now: check the network of this machine.',
  nothingListens: 'Nothing listens at {{server}}: is the server running?',
  hungUp: '{{server}} hung up before it answered: check the address, and whether it needs wss://.',
  noAnswer: '{{server}} does not answer.',
  noWay: 'There is no way to {{server}} from this network.',
  noLine: 'There is no connection to {{server}}: check the address and the network.',
  badAddress: 'The address is not one that can be connected to.',
  notHttp:
    'What answers at {{server}} is no web server: check the address, and whether it needs wss://.',
  notTls: '{{server}} does not speak TLS there: it may want ws:// instead of wss://.',
  notWebSocket: '{{server}} answered, but not as a realtime server does: check the address.',
  distrusted: 'The server’s certificate is not trusted.',
  // Talks and their tapes.
  noTalk: 'There is no talk: start one first.',
  starting: 'The talk is only being started: try again in a moment.',
  startingAlready: 'A talk is being started already.',
  goingOn: 'A talk is going on already: end it first.',
  notEnded: 'No talk has ended here.',
  closing: 'Parley is being closed.',
  talkHasSound: 'A talk has the microphone and the speaker: end it first.',
  tapeGap:
    'A part of this talk could not be recorded: is the disk full? The talk goes on, but its recording has a gap.',
  noTape: 'This talk cannot be recorded: is the disk full? The talk goes on.',
  // Sound outside a talk.
  gaveWay:
    'It was stopped before it had begun, because something else needs the microphone or the speaker.',
  testStopped: 'The test was stopped: something else needs the sound.',
  testNothing:
    'Nothing came back: the speaker may be off or quiet, or the microphone muted or too far away.',
  speakerNeeded:
    'The speaker is needed for something else: end the talk, or stop what is being recorded, first.',
  nothingRecorded: 'Nothing was recorded.',
  notRecording: 'Nothing is being recorded.',
  takeStopped:
    'The recording was given up, because the microphone was needed elsewhere or Parley could not be reached.',
  // Requests as such.
  disconnected: 'Parley cannot be reached at the moment.',
  failed: 'Parley could not do this. This is an error in Parley, please report it: {{error}}',
  notUnderstood:
    'Parley could not take this as it was given: something in it is too long, too large or not allowed.',
  noWindows: 'Only the desktop app has windows of its own; this page has a tab.',
  // Files of Parley’s own.
  fileGone: 'There is no {{path}}.',
  notFolder: 'A part of {{path}} is a file and not a folder.',
  isFolder: '{{path}} is a folder and not a file.',
  noPermission: 'There is no permission to use {{path}}.',
  readOnly: '{{path}} cannot be written: its disk is read-only.',
  diskFull: '{{path}} cannot be written: the disk is full.',
  tooManyOpen: '{{path}} cannot be opened: too many files are open.',
  pathTooLong: '{{path}} cannot be used: the name is too long.',
  fileTooLarge: '{{path}} is too large to be a file of Parley’s.',
  fileUnusable: '{{path}} cannot be used: {{error}}.',
};
