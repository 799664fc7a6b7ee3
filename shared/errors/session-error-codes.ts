/** Why no connection came about. */
export const lineErrors = {
  noSuchServer: { server: 'string' },
  noName: { server: 'string' },
  nothingListens: { server: 'string' },
  hungUp: { server: 'string' },
  noAnswer: { server: 'string' },
  noRoute: { server: 'string' },
  noConnection: { server: 'string' },
  badAddress: {},
  notHttp: { server: 'string' },
  notTls: { server: 'string' },
  notWebSocket: { server: 'string' },
  connectionGivenUp: {},
  handshakeSlow: { server: 'string', seconds: 'number' },
  recordedFailure: { problem: 'string' },
  tapeEnded: {},
} as const satisfies FactTypes;

/** Why a session ended, or what went wrong in one; `detail` is what the server itself said. */
export const sessionErrors = {
  endedByPerson: {},
  answerDone: {},
  timeLimitReached: {},
  memoryFull: {},
  modelFailed: {},
  serverLeaving: {},
  serverGaveUp: {},
  serverSaysUserStop: {},
  serverSaysStopped: {},
  serverSaysClientClosed: {},
  queueFull: {},
  workersBusy: {},
  serverNotReady: {},
  workerUnreachable: {},
  sessionFailed: {},
  sessionCut: {},
  lostInSleep: {},
  talkCutByCrash: { time: 'string' },
  tapeEndsInSentence: { seconds: 'number' },
  tapeEndsEarly: { seconds: 'number' },
  connectionLost: {},
  speechLost: { seconds: 'number' },
  closedSilently: {},
  closedWithCode: { code: 'number' },
  serverFailed: {},
  serverCannotRead: {},
  notAllowed: {},
  messageTooLarge: {},
  serverMessageTooLarge: { megabytes: 'number' },
  answerTooLong: { letters: 'number' },
  soundTooLong: { minutes: 'number' },
  troublesWithoutEnd: {},
  serverSilent: {},
  sessionNotCreated: {},
  serverStalled: {},
  unreachable: {},
  noChatInLegacy: {},
  settingsRefused: { reason: 'string' },
  fieldRefused: { field: 'string', reason: 'string' },
  serverEnded: { reason: 'string' },
  serverReports: { reason: 'string' },
  notChat: {},
  eventUnreadable: {},
  refusedUnknown: { status: 'number' },
  refusedForbidden: { status: 'number' },
  refusedNotFound: { status: 'number' },
  refusedTooOften: { status: 'number' },
  refusedForNow: { status: 'number' },
  refusedByWeb: { status: 'number' },
  refusedOtherwise: { status: 'number' },
  otherDialectHint: {},
} as const satisfies FactTypes;

/** What is wrong with a certificate. */
export const certificateErrors = {
  certificateOwn: { fingerprint: 'string' },
  certificateUnknown: { fingerprint: 'string' },
  certificateExpired: { fingerprint: 'string' },
  certificateEarly: { fingerprint: 'string' },
  certificateRevoked: { fingerprint: 'string' },
  certificateName: { fingerprint: 'string' },
  certificateUnverified: { fingerprint: 'string' },
  certificateChanged: { fingerprint: 'string' },
} as const satisfies FactTypes;

/** What the test of a server found, where no status says it. */
export const verdictErrors = {
  testSlow: { seconds: 'number' },
  testSilent: { seconds: 'number' },
  testBusy: {},
  testEnds: {},
  testOther: {},
  testForbids: {},
  testFull: {},
  testCut: {},
  testClosed: { code: 'number' },
  testNoServer: { status: 'number' },
} as const satisfies FactTypes;

/** Why an answer did not come to its end, while the session went on. */
export const answerErrors = {
  answerRefused: { code: 'string' },
  answerMemory: {},
  answerFailed: { code: 'string' },
  answerFailedBefore: { problem: 'string' },
  answerLost: {},
  answerCutByCrash: {},
  answerUnfinished: { code: 'string' },
} as const satisfies FactTypes;

/** What stands between Parley and a server by a proxy. None of the facts has a name or a password in it. */
export const proxyErrors = {
  proxyAddressForm: {},
  proxyLoginForm: {},
  proxyNotConfirmed: { proxy: 'string' },
  proxyLoginSealed: { proxy: 'string' },
  proxyLoginGone: { proxy: 'string' },
  proxyAway: { proxy: 'string' },
  proxySlow: { proxy: 'string', server: 'string' },
  proxyWantsLogin: { proxy: 'string' },
  proxyRefusesLogin: { proxy: 'string' },
  proxyForbids: { proxy: 'string', server: 'string', status: 'number' },
  proxyReachesNothing: { proxy: 'string', server: 'string', status: 'number' },
  proxyUntrusted: { proxy: 'string' },
  noProxyThere: { proxy: 'string' },
} as const satisfies FactTypes;

/** The facts of each code by their names, and of which type each is. */
export type FactTypes = Readonly<Record<string, Readonly<Record<string, 'string' | 'number'>>>>;

/** Facts of the types that are named, and no others. */
export type FactsIn<Types> = keyof Types extends never
  ? Readonly<Record<string, never>>
  : { readonly [Fact in keyof Types]: Types[Fact] extends 'number' ? number : string };
