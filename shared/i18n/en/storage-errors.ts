/** The placeholders are the facts of the codes in `shared/errors`. */
export const englishStorageErrors = {
  // Files and folders.
  fileGone: '{{path}} does not exist.',
  notFolder: 'A part of {{path}} is a file and not a folder.',
  isFolder: '{{path}} is a folder and not a file.',
  notOrdinaryFile: '{{path}} is a link or a device and not an ordinary file.',
  noPermission: 'Parley has no permission to use {{path}}.',
  readOnly: '{{path}} cannot be written: its disk is read-only.',
  diskFull: '{{path}} cannot be written: the disk is full.',
  tooManyOpen: '{{path}} cannot be opened: too many files are open.',
  pathTooLong: '{{path}} cannot be used: the name is too long.',
  fileTooLarge: '{{path}} is too large to be one of Parley’s files.',
  fileUnusable: '{{path}} cannot be used: {{error}}.',
  notText: '{{path}} is not a text file.',
  folderNotEmpty: '{{path}} already holds something: choose a new or an empty folder.',
  fileFull: '{{path}} has reached {{limit}}: nothing more is written to it.',
  fileOverLimit: '{{path}} is too large: it may have {{limit}}.',
  stdinTooLong: 'The input from stdin is too long.',
  tooManyDamaged: 'There are too many damaged files next to {{path}}: remove some.',
  // Tapes and exports.
  notTape: '{{path}} is not a Parley recording.',
  tapeUnplayable: '{{path}} cannot be played.',
  tapeOfOthers: 'This is not a Parley recording.',
  tapeVersion: 'This recording has version {{version}}; this Parley reads version 1.',
  tapeModeless: 'This recording does not say which mode it was made in.',
  tapeLineDamaged: 'Line {{line}} is damaged.',
  tapeUnfinished: 'Its recorder was stopped before the talk was over.',
  tapeIsStretch: 'It is a section of a longer talk.',
  tapeStretchBeyond: '{{path}} has only {{seconds}} seconds.',
  tapeStretchEmpty: 'This section of {{path}} has no messages.',
  tapeTooLong: 'It is longer than a recording may be, from line {{line}} on.',
  tapeFileOutside: 'This recording refers to {{name}}, which is not in its folder.',
  tapeReferenceBroken: 'This recording has a reference that cannot be read.',
  tapeNothingToMend: '{{path}} is undamaged: there is nothing to repair.',
  tapeExportTextOnly: '{{path}} has only text. You can export its transcript and captions.',
  ffmpegMissing:
    'This format needs ffmpeg. Install it (apt-get install ffmpeg, brew install ffmpeg) and try again.',
  ffmpegFailed: 'ffmpeg could not create the file.',
  exportStopped: 'The export was stopped.',
  exportGoesOn: 'Another export is running: wait for it, or stop it first.',
  exportFormatUnsupported: 'Only the text of a chat can be exported.',
  reportGone: 'This report no longer exists: create it again.',
  nothingExported: 'Nothing has been saved since Parley was started.',
  tapeFilesMissing:
    'Some of its pictures or voices are missing ({{count}}). A grey picture replaces each picture, and the voices are left out.',
  tapeSoundShort: '{{path}} is shorter than its recording says.',
  tapeSoundUnreadable: 'The {{name}} of this recording cannot be read.',
  tapeSoundChanged:
    'The {{name}} of this recording is no longer a mono sound with float or 16-bit samples.',
  // Addresses, headers and tokens.
  addressEmpty: 'The address is empty: begin it with ws://, wss://, http:// or https://.',
  noScheme:
    'The address “{{address}}” has no scheme: begin it with ws://, wss://, http:// or https://.',
  otherScheme:
    'Can’t use {{scheme}}://. The address must begin with ws://, wss://, http:// or https://.',
  userInAddress:
    'The address “{{address}}” contains a user name. Use the access token field instead.',
  hashInAddress: 'The address “{{address}}” must not have a # part.',
  spaceInAddress: 'The address “{{address}}” contains a space.',
  noHost: 'The address “{{address}}” has no server name.',
  badPort: 'The address “{{address}}” has the port {{port}}: ports go from 1 to 65535.',
  headerForm: 'A header is written as “Name: value”.',
  headerReserved: 'The header {{name}} belongs to the connection itself.',
  headerCharacters: 'The header {{name}} has characters that are not allowed in headers.',
  headerAuthorization:
    'An Authorization header is not stored with the settings: enter the access token instead.',
  queryForm: 'A query field is written as “name=value”.',
  queryMode: 'The query field “mode” cannot be set, because Parley sets it itself.',
  configForm:
    'These fields cannot be read. Write them as one JSON object of at most 4000 characters, such as { "length_penalty": 1.1 }.',
  fingerprintForm: 'A fingerprint is the SHA-256 of a certificate: 64 hexadecimal digits.',
  fingerprintPlain:
    'A fingerprint is for the certificate of wss:// or https://: this address has none.',
  tokenForm: 'The access token is empty or has characters that are not allowed.',
  tokenTwice: 'Give either the access token or an Authorization header, not both.',
  // Stored servers.
  serverGone: 'This server no longer exists: choose another one.',
  demonstrationStays: 'The demonstration cannot be changed: add a server instead.',
  serversMany: 'Parley has room for {{most}} servers. Delete one first.',
  demonstrationBroken: 'The demonstration’s speech cannot be read: install Parley again.',
  valueMissing: 'A header or query field has no value: give it one.',
  serverNotConfirmed:
    '{{server}} was not confirmed, so nothing is sent there. Try again and choose Use the server.',
  fingerprintNotConfirmed: 'The certificate of {{server}} was not confirmed. Nothing was changed.',
  otherServer:
    'The address names another server: enter the values of its header and query fields again.',
  addressChanged: 'The address was changed meanwhile: enter the access token again.',
  tokenGone: 'The access token of {{name}} is gone: enter it again.',
  valuesGone: 'A header or query value of {{name}} is gone: enter it again in the settings.',
  keychainRefuses: 'The keychain refuses the access token, or what is kept with it.',
  keychainElsewhere:
    'The desktop app’s keychain holds the access token. It can’t be opened here. Enter it again.',
  keychainAway:
    'The system’s keychain is locked, and the access token is in it. Unlock it and start Parley again.',
  keychainClosed: 'The keychain can’t open the access token any more. Enter it again.',
  // Settings.
  settingsUnread: 'The settings could not be read, so all of them are at their defaults.',
  settingsUnreadRestored: 'The settings could not be read, so their last good version is used.',
  settingsPartlyRestored:
    'Some settings could not be read. Their last good values are used: {{places}}.',
  leftToNewer: 'Their file is left for that version. Changes here last until Parley quits.',
  settingsNewer: 'The settings were written by a newer version of Parley.',
  settingsPartly: 'Some settings could not be read and are at their defaults: {{places}}.',
  putAside: 'The old file is kept as {{path}}.',
  notPutAside: 'The old file could not be set aside and is overwritten.',
  changesNotStored: 'Your changes last until Parley quits.',
  logNotWritable: 'The log cannot be written to {{path}}. Everything else works as before.',
  valuesStay:
    'Header and query values are still in the settings file. Parley tries to move them at its next start.',
  settingNotAllowed: 'Nothing was changed: the value of {{place}} is not allowed.',
  // Updates; the running version is unchanged.
  updateServerAway:
    'Can’t reach {{host}} to look for updates. Check your connection and try again.',
  updateServerRefuses:
    'The update server {{host}} answered with error {{status}}. Try again later.',
  updateServerSlow: 'The update server {{host}} is too slow. Parley tries again later.',
  updateRedirected:
    'The update server {{host}} points to another place, which Parley doesn’t follow. Nothing was changed.',
  updateUnsigned:
    'What {{host}} says about updates isn’t signed by Parley’s makers. It was ignored, and nothing was changed.',
  updateFeedDamaged: 'What {{host}} says about updates can’t be read. Nothing was changed.',
  updateFeedExpired:
    'What the update server says was valid until {{date}} only. Check the date of this computer, or try again later.',
  updateFeedOlder:
    'The update server shows an old list, of {{date}}. It was ignored. Try again later.',
  updateFileMissing: 'Parley {{version}} isn’t offered for this kind of computer or package.',
  updateCutShort: 'The download of Parley {{version}} broke off. Parley tries again later.',
  updateAltered:
    'The download of Parley {{version}} isn’t what its makers have signed. It was deleted, and nothing was changed.',
  updateNotSwapped: 'Parley {{version}} couldn’t be put in place. This version stays.',
  updateVersionGone: 'That version is no longer there.',
  // The history, and the transcript of the user's speech.
  notTalkRecord: '{{path}} cannot be read as a talk: it is damaged, or Parley did not write it.',
  talkRecordNewer: '{{path}} was written by a newer version of Parley: open it with that one.',
  historyItemsUnreadable: '{{count}} entries of History cannot be read. One of them is {{path}}.',
  talkRecordGone: 'This talk no longer exists.',
  talkEndUnknown: 'The talk ended for a reason that this version of Parley does not know.',
  talkTextNotStored: 'The text of this talk cannot be kept at the moment.',
  nothingAsked: 'You have already decided whether to keep this talk.',
  historyIndexLost: 'The list could not be read and is being rebuilt: try again in a moment.',
  pictureGone: 'This picture no longer exists.',
  recentNotHeld:
    'The last two minutes are not held. Turn it on under Privacy, for talks that are not recorded.',
  ownWordsServerGone:
    'The server of this talk is gone. Your voice is sent to no other. Add it again under Servers.',
  ownWordsBusy: 'Another recording is being written down. Try again when it is done.',
  ownWordsGone: 'These words no longer exist.',
  ownWordsTooMany:
    'You said more than Parley can hold for writing down, so the oldest part was dropped.',
  tapeInUse: 'A talk is still being recorded. End the talk first.',
} as const;
