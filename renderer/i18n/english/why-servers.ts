/** What the core tells by a code; the codes and their facts are in `shared/why-codes.ts`. */
export const englishWhyServers = {
  // Addresses and what goes along with them.
  addressEmpty: 'The address is empty: begin it with ws://, wss://, http:// or https://.',
  noScheme:
    'The address “{{address}}” has no scheme: begin it with ws://, wss://, http:// or https://.',
  otherScheme:
    'Parley cannot speak {{scheme}}://: begin the address with ws://, wss://, http:// or https://.',
  userInAddress:
    'The address of “{{address}}” has a user name in it: give the access token on its own instead.',
  hashInAddress: 'The address “{{address}}” must not have a # part.',
  spaceInAddress: 'The address “{{address}}” has a space in it.',
  noHost: 'The address “{{address}}” names no server.',
  badPort: 'The address “{{address}}” has the port {{port}}: ports go from 1 to 65535.',
  headerForm: 'A header is written as “Name: value”.',
  headerReserved: 'The header {{name}} belongs to the connection itself.',
  headerCharacters: 'The header {{name}} has characters in it that no header can carry.',
  headerAuthorization:
    'An Authorization header is not kept among the settings: give its access token instead.',
  queryForm: 'A query field is written as “name=value”.',
  queryMode: 'The query field mode is chosen by what you do, not by hand.',
  fingerprintForm: 'A fingerprint is the SHA-256 of a certificate: 64 hexadecimal digits.',
  fingerprintPlain:
    'A fingerprint is for the certificate of wss:// or https://: this address has none.',
  tokenForm: 'The access token is empty or has characters in it that none has.',
  tokenTwice: 'Give either the access token or an Authorization header, not both.',
  // Servers as they are set.
  serverGone: 'There is no such server any more: choose another one.',
  demonstrationStays: 'The demonstration cannot be changed: add a server instead.',
  demonstrationBroken: 'The demonstration’s speech cannot be read: install Parley again.',
  valueMissing: 'A header or query field has no value: give it one.',
  otherServer:
    'The address names another server: give the values of its header and query fields anew.',
  addressChanged: 'The address was changed meanwhile: give the access token again.',
  tokenGone: 'The access token of {{name}} is gone: give it again.',
  keychainRefuses: 'The keychain refuses the access token.',
  keychainElsewhere:
    'The access token is sealed by the keychain of the desktop window and cannot be opened here: give it again.',
  keychainClosed: 'The keychain cannot open the access token any more: give it again.',
  // Certificates.
  certificateOwn:
    'The server’s certificate is self-signed; its SHA-256 fingerprint is {{fingerprint}}. Trust it only if that is your server.',
  certificateUnknown:
    'The server’s certificate comes from an authority that this machine does not know; its SHA-256 fingerprint is {{fingerprint}}. Trust it only if that is your server.',
  certificateExpired:
    'The server’s certificate has expired; its SHA-256 fingerprint is {{fingerprint}}. Trust it only if that is your server.',
  certificateEarly:
    'The server’s certificate is not valid yet (is the clock of this machine right?); its SHA-256 fingerprint is {{fingerprint}}.',
  certificateRevoked:
    'The server’s certificate has been revoked; its SHA-256 fingerprint is {{fingerprint}}. Ask whoever runs the server.',
  certificateName:
    'The server’s certificate belongs to another name than the one in the address; its SHA-256 fingerprint is {{fingerprint}}.',
  certificateUnverified:
    'The server’s certificate cannot be verified; its SHA-256 fingerprint is {{fingerprint}}. Trust it only if that is your server.',
  certificateChanged:
    'The server’s certificate is another one than the trusted one; its SHA-256 fingerprint is {{fingerprint}}. If the server has been given a new certificate, trust that; if not, somebody stands between.',
  // The test of a server.
  testSlow: 'The server has not answered within {{seconds}} s: check address and network.',
  testSilent:
    'The server took the connection but has said nothing for {{seconds}} s: it is overloaded, or not a realtime server.',
  testBusy: 'The server cannot take a session now.',
  testEnds: 'The server ends sessions at once.',
  testOther: 'What answers there is no realtime server: it begins no session. Check the address.',
  testForbids: 'The server does not let you in (1008). Check the access token.',
  testFull: 'The server is too busy now (1013). Try again in a minute.',
  testCut: 'The connection was cut before the server said a word.',
  testClosed:
    'The server took the connection and closed it without a word ({{code}}); it may be no realtime server.',
  // The settings’ file.
  settingsUnread: 'The settings could not be read; all of them are as they were at first.',
  settingsNewer: 'The settings were written by a newer version of Parley.',
  settingsPartly: 'Some settings could not be read and are as they were at first: {{places}}.',
  putAside: 'What was there is kept in {{path}}.',
  untilEnd: 'What you change stays until Parley ends.',
  notTaken: 'Nothing was changed: the value of {{place}} is not allowed.',
};
