/** Servers, as in `settings-rows.ts`. */
export const englishSettingsEndpoints = {
  list: {
    name: 'Talk to',
    hint: 'Parley talks to the server that is marked, from the next talk or question on.',
    also: 'servers endpoint host demonstration connect gateway',
  },
  url: {
    name: 'Address',
    hint: 'Begins with ws://, wss://, http:// or https://.',
    also: 'url host port endpoint',
  },
  called: {
    name: 'Name',
    hint: 'How you call it. Without one it goes by its address.',
    also: 'label title',
  },
  kind: {
    name: 'Where it runs',
    hint: 'On this machine or network, or with somebody who runs it for you.',
    also: 'local hosted',
  },
  dialect: {
    name: 'Protocol',
    hint: 'Found out by itself; set it where that takes too long.',
    also: 'dialect unified legacy',
  },
  token: {
    name: 'Access token',
    hint: 'Goes to this server only and is never shown again.',
    also: 'password key secret api authorization login',
  },
  headers: {
    name: 'Headers',
    hint: 'Sent when the connection is opened. Values are kept with the access token and never shown again.',
    also: 'http',
  },
  query: {
    name: 'Query fields',
    hint: 'Added to the address. Values are kept with the access token and never shown again.',
    also: 'parameters',
  },
  fingerprint: {
    name: 'Trusted certificate',
    hint: 'The SHA-256 fingerprint of the one certificate to trust, for servers that sign their own.',
    also: 'tls ssl fingerprint',
  },
  timeLimit: {
    name: 'Longest session',
    hint: 'In seconds. Left empty, Parley goes by 5 minutes with pictures and 10 without, and learns what the server really does.',
    also: 'session time limit timeout duration',
  },
  contextLimit: {
    name: 'Memory of a session',
    hint: 'In tokens. Left empty, Parley goes by 8192, and learns what the server really does.',
    also: 'context window tokens kv cache limit',
  },
  voiceForm: {
    name: 'Form of a voice',
    hint: 'How servers of the older protocol read a reference voice: as a WAV file, as their documents say, or as bare samples, as many in use do.',
    also: 'reference voice float32 wav legacy',
  },
  config: {
    name: 'Further fields',
    hint: 'Sent to this server with each talk, as a JSON object. A field that is also in the settings counts as it stands here.',
    also: 'config json generation options length_penalty',
  },
} as const;
