/** Servers, as in `settings-rows.ts`. */
export const englishSettingsEndpoints = {
  list: {
    name: 'Talk to',
    hint: 'The chosen server is used from the next talk or question on.',
    also: 'servers endpoint host demonstration connect gateway',
  },
  proxy: {
    name: 'Proxy',
    hint: 'Used for servers on other machines and for updates, from the next connection on. System: what your system is set to.',
    also: 'proxy http socks network company firewall pac environment',
  },
  proxyAddress: {
    name: 'Address of the proxy',
    hint: 'Begins with http://, https:// or socks5:// and ends with a port. Name and password are stored like an access token and never shown again.',
    also: 'proxy host port user name password login authentication',
  },
  url: {
    name: 'Address',
    hint: 'Begins with ws://, wss://, http:// or https://.',
    also: 'url host port endpoint',
  },
  called: {
    name: 'Name',
    hint: 'What you call it. If empty, its address is shown.',
    also: 'label title',
  },
  kind: {
    name: 'Where it runs',
    hint: 'On this computer or network, or hosted for you.',
    also: 'local hosted',
  },
  dialect: {
    name: 'Protocol',
    hint: 'Detected automatically. Set it if that takes too long.',
    also: 'dialect unified legacy',
  },
  token: {
    name: 'Access token',
    hint: 'Goes to this server only and is never shown again.',
    also: 'password key secret api authorization login',
  },
  headers: {
    name: 'Headers',
    hint: 'Sent when connecting. Values are stored like the access token and never shown again.',
    also: 'http',
  },
  query: {
    name: 'Query fields',
    hint: 'Added to the address. Values are stored like the access token and never shown again.',
    also: 'parameters',
  },
  fingerprint: {
    name: 'Trusted certificate',
    hint: 'The SHA-256 fingerprint to trust, for servers that sign their own certificate.',
    also: 'tls ssl fingerprint',
  },
  timeLimit: {
    name: 'Longest session',
    hint: 'In seconds. If empty, 5 minutes with pictures and 10 without, until Parley knows better.',
    also: 'session time limit timeout duration',
  },
  contextLimit: {
    name: 'Memory of a session',
    hint: 'In tokens. If empty, 8192, until Parley knows better.',
    also: 'context window tokens kv cache limit',
  },
  voiceForm: {
    name: 'Voice format',
    hint: 'How an older server reads a reference voice. The documents say WAV, many servers take raw samples.',
    also: 'reference voice float32 wav legacy',
  },
  config: {
    name: 'Further fields',
    hint: 'Sent to this server with each talk, as a JSON object. Fields here win over settings and role; null leaves one out.',
    also: 'config json generation options length_penalty',
  },
} as const;
