/**
 * The codes by their subjects, each with the names of its facts. The page has words for every code in
 * both languages, with the facts in braces; `test/unit/renderer/words/why-words.test.ts` compares them.
 */
type Codes = Readonly<Record<string, readonly string[]>>;

const path = ['path'] as const;
const server = ['server'] as const;
const fingerprint = ['fingerprint'] as const;

/** Why a sound device is not there. */
export const deviceWhys = {
  noMicrophone: [],
  noSpeaker: [],
  missing: [],
  silent: [],
  taken: [],
  broken: [],
  noSound: [],
  hangs: [],
} as const satisfies Codes;

/** Why no connection came about. */
export const lineWhys = {
  noSuchServer: server,
  noName: server,
  nothingListens: server,
  hungUp: server,
  noAnswer: server,
  noWay: server,
  noLine: server,
  badAddress: [],
  notHttp: server,
  notTls: server,
  notWebSocket: server,
  distrusted: [],
} as const satisfies Codes;

/** Why something cannot be done with a talk now, or is missing of its tape. */
export const talkWhys = {
  noTalk: [],
  starting: [],
  startingAlready: [],
  goingOn: [],
  notEnded: [],
  closing: [],
  talkHasSound: [],
  tapeGap: [],
  noTape: [],
} as const satisfies Codes;

/** Why microphone or speaker are not had outside a talk. */
export const soundWhys = {
  gaveWay: [],
  testStopped: [],
  testNothing: [],
  speakerNeeded: [],
  nothingRecorded: [],
  notRecording: [],
  takeStopped: [],
} as const satisfies Codes;

/** Why a request came to nothing before anybody looked at what it is about. */
export const requestWhys = {
  disconnected: [],
  failed: ['error'],
  notUnderstood: [],
  noWindows: [],
} as const satisfies Codes;

/** Why a file or folder of Parley's own cannot be used. */
export const fileWhys = {
  fileGone: path,
  notFolder: path,
  isFolder: path,
  noPermission: path,
  readOnly: path,
  diskFull: path,
  tooManyOpen: path,
  pathTooLong: path,
  fileTooLarge: path,
  fileUnusable: ['path', 'error'],
} as const satisfies Codes;

/** What is wrong with an address, or with what goes along with it. */
export const addressWhys = {
  addressEmpty: [],
  noScheme: ['address'],
  otherScheme: ['scheme'],
  userInAddress: ['address'],
  hashInAddress: ['address'],
  spaceInAddress: ['address'],
  noHost: ['address'],
  badPort: ['address', 'port'],
  headerForm: [],
  headerReserved: ['name'],
  headerCharacters: ['name'],
  headerAuthorization: [],
  queryForm: [],
  queryMode: [],
  fingerprintForm: [],
  fingerprintPlain: [],
  tokenForm: [],
  tokenTwice: [],
} as const satisfies Codes;

/** Why a server cannot be changed or used as it is set. */
export const serverWhys = {
  serverGone: [],
  demonstrationStays: [],
  demonstrationBroken: [],
  valueMissing: [],
  otherServer: [],
  addressChanged: [],
  tokenGone: ['name'],
  keychainRefuses: [],
  keychainElsewhere: [],
  keychainClosed: [],
} as const satisfies Codes;

/** What is wrong with a certificate. */
export const certificateWhys = {
  certificateOwn: fingerprint,
  certificateUnknown: fingerprint,
  certificateExpired: fingerprint,
  certificateEarly: fingerprint,
  certificateRevoked: fingerprint,
  certificateName: fingerprint,
  certificateUnverified: fingerprint,
  certificateChanged: fingerprint,
} as const satisfies Codes;

/** What the test of a server found, where no status says it. */
export const verdictWhys = {
  testSlow: ['seconds'],
  testSilent: ['seconds'],
  testBusy: [],
  testEnds: [],
  testOther: [],
  testForbids: [],
  testFull: [],
  testCut: [],
  testClosed: ['code'],
} as const satisfies Codes;

/** What became of settings that could not be read, taken or kept. */
export const settingsWhys = {
  settingsUnread: [],
  settingsNewer: [],
  settingsPartly: ['places'],
  putAside: path,
  untilEnd: [],
  notTaken: ['place'],
} as const satisfies Codes;

/** Why a file is no sound or picture that can be taken. */
export const mediaWhys = {
  emptyFile: [],
  notWav: [],
  wavUnclear: [],
  wavEmpty: [],
  wavCoded: ['coding'],
  wavBroken: [],
  wavRate: ['rate'],
  soundLong: ['seconds', 'most'],
  otherSound: ['kind'],
  emptyPicture: [],
  notPicture: [],
  picturePdf: [],
  pictureSvg: [],
  pictureBroken: [],
  pictureLarge: ['width', 'height'],
  pictureMoves: [],
  noPictures: ['error'],
  pictureHeavy: ['name', 'most', 'size'],
  soundHeavy: ['name', 'most', 'size'],
} as const satisfies Codes;

/** Why a reference voice cannot be made, named or used. */
export const voiceWhys = {
  voiceGone: [],
  voiceUnheard: [],
  voiceShort: ['seconds', 'least'],
  voiceNameless: [],
  voiceNameLong: ['most'],
  voiceNameHidden: [],
  voiceNameTaken: ['name'],
} as const satisfies Codes;

/** Why something cannot be done in a written conversation, or is missing of it. */
export const chatWhys = {
  chatGone: [],
  chatElsewhere: [],
  mediaGone: [],
  mediaLost: [],
  messageGone: [],
  questionGone: [],
  beforeGone: [],
  speechGone: [],
  noPlayer: [],
  answerComing: [],
  answerVoiceGone: [],
  nothingToSend: [],
  textLong: [],
  clipLong: ['most'],
  tooMuch: ['tokens', 'most'],
  pictureMissing: [],
  soundMissing: [],
  chatDamaged: path,
  chatsUnkept: [],
} as const satisfies Codes;

/** Why an answer did not come to its end, while the session went on. */
export const answerWhys = {
  answerRefused: ['code'],
  answerMemory: [],
  answerFailed: ['code'],
  answerUnfinished: ['code'],
} as const satisfies Codes;
