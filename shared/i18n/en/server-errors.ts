/** The placeholders are the facts of the codes in `shared/errors`. */
export const englishServerErrors = {
  // Connection failures, and ends of tapes.
  noSuchServer: 'There is no server called {{server}}. Check the address.',
  noName: 'The name {{server}} cannot be looked up. Check the network of this computer.',
  nothingListens: 'Nothing listens at {{server}}. Is the server running?',
  hungUp: '{{server}} hung up before it answered. Check the address, and whether it needs wss://.',
  noAnswer: '{{server}} does not answer. Check its address, or try again later.',
  noRoute: '{{server}} cannot be reached from this network.',
  noConnection: 'Parley could not connect to {{server}}. Check the address and the network.',
  badAddress: 'Parley cannot connect to this address.',
  notHttp: '{{server}} is not a web server. Check the address, and whether it needs wss://.',
  notTls: '{{server}} does not speak TLS there. It may want ws:// instead of wss://.',
  notWebSocket: '{{server}} answered, but not as a realtime server does. Check the address.',
  connectionGivenUp: 'The connection attempt was cancelled.',
  handshakeSlow: '{{server}} did not answer within {{seconds}} s.',
  recordedFailure: 'The recorded connection failed: {{problem}}',
  tapeEnded: 'The tape has no more connections.',
  tapeEndsInSentence: 'The tape ends after {{seconds}} seconds, in the middle of a sentence.',
  tapeEndsEarly: 'The tape ends after {{seconds}} seconds, before the talk does.',
  // Sessions; the error's `detail` has the server's own message.
  endedByPerson: 'You ended the session.',
  answerDone: 'You ended the conversation.',
  timeLimitReached: 'The session reached its time limit. Start a new one to continue.',
  memoryFull: 'The model’s memory for this session is full. Start a new one to continue.',
  modelFailed:
    'The model behind the server failed. Start again. If it happens again, tell whoever runs the server.',
  serverLeaving: 'The server is going away. Try again in a few minutes.',
  serverGaveUp:
    'The server ended the session after an error it could not recover from. Start again.',
  serverSaysUserStop:
    'The server ended the session as if you had asked for it. Start again if you did not.',
  serverSaysStopped:
    'The server ended the session as if you had asked for it. Start again if you did not.',
  serverSaysClientClosed:
    'The server ended the session as if you had asked for it. Start again if you did not.',
  queueFull: 'The server’s queue is full. Try again in a few minutes.',
  workersBusy: 'The server is busy. Try again in a moment.',
  serverNotReady: 'The server is not ready yet. Try again in a minute.',
  workerUnreachable: 'The server could not reach one of its workers. Try again in a moment.',
  sessionFailed:
    'The server could not start or hold the session. Try again; if it happens again, tell whoever runs the server.',
  sessionCut: 'You closed the connection.',
  speechLost:
    'The connection stalled: {{seconds}} s of what you said did not get through. Say it again.',
  talkCutByCrash: 'Parley ended unexpectedly; your talk until {{time}} is kept.',
  lostInSleep:
    'This machine slept, and the connection is gone. Connect again if Parley does not by itself.',
  connectionLost: 'The connection was cut. Check the network and start again.',
  closedSilently: 'The server closed the connection without saying why. Start again.',
  closedWithCode: 'The connection was closed with code {{code}}. Start again.',
  serverFailed: 'The server failed. Start again.',
  serverCannotRead:
    'The server could not read what Parley sent. This is an error in Parley or in the server; please report it.',
  notAllowed: 'The server does not allow this. Check the access token of this server.',
  messageTooLarge:
    'A message was too large for the server. Send smaller pictures, shorter sounds or shorter chunks.',
  serverMessageTooLarge:
    'The server sent a message of more than {{megabytes}} MB, so Parley ended the session. Tell whoever runs the server.',
  answerTooLong:
    'The server sent too much text at once ({{letters}} characters). Parley ended the session. Start again; if it happens again, tell whoever runs the server.',
  soundTooLong:
    'The server sent over {{minutes}} minutes of speech at once. Parley ended the session. Start again; if it happens again, tell whoever runs the server.',
  troublesWithoutEnd:
    'The server reported one error after another, so Parley ended the session. Tell whoever runs the server.',
  serverSilent:
    'The server accepted the connection but sent nothing. Check that the address leads to a realtime server.',
  sessionNotCreated:
    'The server accepted the connection but started no session. Try again in a minute.',
  serverStalled: 'The server stopped answering. Start again.',
  unreachable: 'The server could not be reached. Check the address and the network.',
  noChatInLegacy:
    'The server opened no chat. Servers with the legacy protocol often have none. Talk to it instead, or choose another server for Chat. If it knows the unified protocol, set that.',
  settingsRefused:
    'The server did not accept the session’s settings ({{reason}}). Check prompt, voice and dialect.',
  fieldRefused:
    'The server does not take “{{field}}”, a field of its configuration ({{reason}}). Leave it out for this server.',
  serverEnded:
    'The server ended the session ({{reason}}). Start again. If it happens again, tell whoever runs the server.',
  serverReports: 'The server reported an error ({{reason}}). Parley continues.',
  notChat: 'This is a voice session. To write, open one in chat mode.',
  eventUnreadable: 'The server sent something that Parley cannot read. Parley continues.',
  refusedUnknown:
    'The server asks for a login ({{status}}). Check the access token of this server.',
  refusedForbidden:
    'The server refused access ({{status}}). Check the access token, and that it offers this mode.',
  refusedNotFound: 'There is no realtime server at this address ({{status}}). Check the address.',
  refusedTooOften:
    'The server has had too many requests from you ({{status}}). Wait a minute and try again.',
  refusedForNow: 'The server cannot take connections now ({{status}}). Try again in a minute.',
  refusedByWeb:
    'A web server answers at this address, not a realtime server ({{status}}). Check port and path.',
  refusedOtherwise:
    'The server refused the connection ({{status}}). Check the address of this server.',
  otherDialectHint: 'It may speak the other dialect: let Parley detect it.',
  // Certificates.
  certificateOwn:
    'The server’s certificate is self-signed. Its SHA-256 fingerprint is {{fingerprint}}. Trust it only if that is your server.',
  certificateUnknown:
    'This computer doesn’t know who issued the server’s certificate. Its SHA-256 fingerprint is {{fingerprint}}. Trust it only if that is your server.',
  certificateExpired:
    'The server’s certificate has expired. Its SHA-256 fingerprint is {{fingerprint}}. Trust it only if that is your server.',
  certificateEarly:
    'The server’s certificate is not valid yet. Its SHA-256 fingerprint is {{fingerprint}}. Check the clock of this computer.',
  certificateRevoked:
    'The server’s certificate has been revoked. Its SHA-256 fingerprint is {{fingerprint}}. Ask whoever runs the server.',
  certificateName:
    'The server’s certificate is for another name. Its SHA-256 fingerprint is {{fingerprint}}.',
  certificateUnverified:
    'The server’s certificate cannot be verified. Its SHA-256 fingerprint is {{fingerprint}}. Trust it only if that is your server.',
  certificateChanged:
    'The server’s certificate is not the trusted one. Its SHA-256 fingerprint is {{fingerprint}}. If the server has a new certificate, trust it. If not, someone may be listening in.',
  // Results of the server test.
  testSlow: 'The server has not answered within {{seconds}} s. Check address and network.',
  testSilent:
    'The server has said nothing for {{seconds}} s. It is overloaded, or not a realtime server.',
  testBusy: 'The server cannot take a session now.',
  testEnds: 'The server ends sessions at once.',
  testOther:
    'The server there is not a realtime server, because it starts no session. Check the address.',
  testForbids: 'The server refused access (1008). Check the access token.',
  testFull: 'The server is too busy now (1013). Try again in a minute.',
  testCut: 'The connection was lost before the server sent anything.',
  testClosed:
    'The server closed the connection at once ({{code}}). It may not be a realtime server.',
  testNoServer:
    'A web server answers there, not a realtime server ({{status}}). Check the address.',
  // Failed answers.
  answerRefused:
    'The server did not accept this message ({{code}}). Change it or the options and send it again.',
  answerMemory:
    'The conversation is too long for the server’s model. Start a new one, or delete messages that it does not need.',
  answerFailed: 'The server failed while it answered ({{code}}). Try again.',
  answerFailedBefore: 'This answer failed: {{problem}}',
  answerCutByCrash:
    'Parley ended unexpectedly while this answer came, so some of it is missing. Ask again for the full answer.',
  answerLost:
    'This answer failed, for a reason that this version of Parley does not know. Try again.',
  answerUnfinished: 'The server could not finish this answer ({{code}}). Try again.',
  // Proxies.
  proxyAddressForm: 'A proxy’s address looks like http://proxy.example:3128.',
  proxyLoginForm:
    'Name and password of a proxy have at most 255 characters each, and the name has no colon.',
  proxyNotConfirmed: 'The proxy {{proxy}} was not confirmed, so Parley does not use it.',
  proxyLoginSealed:
    'The keychain holds the password for {{proxy}}, but it is locked. Unlock it, or type the password again.',
  proxyLoginGone:
    'Name and password for {{proxy}} are missing. Type them again under Settings, Servers.',
  proxyAway: 'The proxy {{proxy}} can’t be reached. Check it under Settings, Servers.',
  proxySlow: 'The proxy {{proxy}} did not connect to {{server}}. Check both, or try again.',
  proxyWantsLogin:
    'The proxy {{proxy}} asks for name and password. Type them under Settings, Servers.',
  proxyRefusesLogin:
    'The proxy {{proxy}} refuses name or password. Correct them under Settings, Servers.',
  proxyForbids: 'The proxy {{proxy}} forbids {{server}} ({{status}}). Ask whoever runs the proxy.',
  proxyReachesNothing:
    'The proxy {{proxy}} can’t reach {{server}} ({{status}}). Check the server’s address.',
  proxyUntrusted:
    'The certificate of the proxy {{proxy}} is not trusted here. Ask whoever runs it.',
  noProxyThere: '{{proxy}} is not a proxy of this kind. Check its address under Settings, Servers.',
  // The program that runs the model on this computer.
  modelProgramMissing:
    'llama-omni-server is not installed, or Parley can’t find it. Choose its file, or build it.',
  pathNotChosen: 'Choose it in the system’s dialog.',
  modelProgramGone: 'There is no program at {{path}}. Choose llama-omni-server again.',
  modelProgramNotExecutable: '{{path}} can’t be run. Make it executable, or choose another file.',
  modelProgramForeign: '{{path}} is not llama-omni-server for this computer. Choose another file.',
  modelProgramOld: '{{path}} is too old for Parley. Build the newest llama-omni-server.',
  modelLibraryMissing: 'The model’s program needs {{name}}. Install it, and start the model again.',
  modelProcessorOld:
    'The model’s program was built for another processor. Build it on this computer.',
  modelElsewhere: 'Another Parley on this computer runs the model. Close it first.',
  modelStopped: 'The model was stopped. Start a talk or a chat to load it again.',
  // The program ends or hangs.
  modelKilled:
    'The system ended the model, probably for lack of memory. Close other programs and try again.',
  modelCardMemory:
    'The graphics card has too little free memory for the model. Close other programs that use it.',
  modelMemory: 'There is too little free memory for the model. Close other programs and try again.',
  modelNoCard: 'The model’s program can’t use the graphics card. Check the card’s driver.',
  modelPortTaken: 'Another program keeps taking the model’s port. Try again.',
  modelTemporaryFull: 'There is no room left in {{path}}. Free some space and try again.',
  modelFileUnreadable: 'The model’s file {{name}} is missing or damaged. Verify the model’s files.',
  modelSilent: 'The model did not answer for {{seconds}} seconds. Try again.',
  modelExited: 'The model’s program stopped. Its last output: “{{line}}”.',
  modelCrashLoop: 'The model was started {{times}} times and stopped each time.',
  modelTooSlow:
    'The model is too slow for talks here: {{p90Ms}} ms a step, and {{limitMs}} ms would do. Chat works.',
  // The model's files.
  modelSpace:
    'The model needs {{neededGb}} GB in {{folder}}, and {{freeGb}} GB are free. Free some space or choose another folder.',
  modelDiskFull:
    'The disk of {{folder}} is full. Free {{neededGb}} GB, then resume. The part already downloaded is kept.',
  modelFilesMissing:
    '{{folder}} lacks files of the model: {{names}}. Choose another folder or download the model.',
  modelFileSize:
    '{{name}} in {{folder}} does not have the size of the model’s file. Delete it and download it again.',
  modelFileChanged:
    '{{name}} in {{folder}} is damaged or was changed. Delete it and download it again.',
  modelFolderForeign:
    'Parley only deletes files that it has downloaded. Delete {{folder}} yourself if you no longer need it.',
  modelFolderBusy: 'Another Parley is downloading into {{folder}}. Wait for it or close it.',
  modelFilesBusy: 'The model’s files are in use. Wait until the download or the check is over.',
  // The mirrors that serve the model's files.
  modelMirrorAway:
    '{{host}} can’t be reached. Check the network, then resume. The part already downloaded is kept.',
  modelMirrorSlow:
    '{{host}} sends nothing. Check the network, then resume. The part already downloaded is kept.',
  modelMirrorRefuses:
    '{{host}} refuses the model’s file (HTTP {{status}}). Try again later or choose the other mirror.',
  modelMirrorRedirects:
    '{{host}} sends the download on to an address that Parley does not use. Choose the other mirror.',
  modelMirrorUntrusted:
    'The certificate of {{host}} is not valid. Check the network, the proxy and the computer’s date.',
  modelMirrorAlters:
    '{{host}} sent a {{name}} that is not the model’s, so Parley deleted it. Choose the other mirror.',
  modelMirrorsAlter:
    'Every mirror sent a {{name}} that is not the model’s, so Parley deleted it. Check the network and the proxy.',
} as const;
