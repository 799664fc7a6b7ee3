/** What the assistant is told and how it makes its answers; as in `settings-rows.ts`. */
export const englishSettingsAssistant = {
  preset: {
    name: 'Role',
    hint: 'What the assistant is told first. Used from the next talk or question on.',
    also: 'preset role persona system prompt character',
  },
  instructions: {
    name: 'Your own instructions',
    hint: 'Write as you would to a person.',
    also: 'system prompt',
  },
  configs: {
    name: 'Further fields of this role',
    hint: 'Sent with each talk in this role, as a JSON object. They win over the settings below; those of a server win over these. null leaves one out.',
    also: 'config json generation options length_penalty',
  },
  lengthPenalty: {
    name: 'Answer length',
    hint: 'Higher makes answers longer, lower makes them shorter.',
    also: 'length penalty short long',
  },
  temperature: {
    name: 'Creativity',
    hint: 'Low is predictable. High is livelier and makes more mistakes.',
    also: 'temperature creativity',
  },
  topK: {
    name: 'Words to choose from',
    hint: 'How many likely next words are considered.',
    also: 'top k sampling',
  },
  topP: {
    name: 'Share of likely words',
    hint: 'Only words within this share of likelihood are considered.',
    also: 'top p nucleus sampling',
  },
  textRepetitionPenalty: {
    name: 'Avoid repeated words',
    hint: 'Above 1 the model avoids what it has just said.',
    also: 'repetition penalty text',
  },
  listenProbScale: {
    name: 'Readiness to listen',
    hint: 'Higher: it stops sooner when you speak. Lower: it keeps talking.',
    also: 'listen probability scale',
  },
  listenTopK: {
    name: 'Listening rank',
    hint: 'How likely listening must be before it stops to listen.',
    also: 'listen top k',
  },
  maxNewSpeakTokensPerChunk: {
    name: 'Words per step',
    hint: 'The most it says per step. Too few and it stutters. Too many and it is hard to interrupt.',
    also: 'tokens per chunk speak',
  },
  forceListenCount: {
    name: 'Listen first',
    hint: 'It only listens for this many steps at the start.',
    also: 'force listen count',
  },
  generateAudio: {
    name: 'Speak answers',
    hint: 'When off, answers are captions only.',
    also: 'generate audio mute text only',
  },
  lsMode: {
    name: 'When to speak',
    hint: 'A word the server knows. Leave it unless you are told otherwise.',
    also: 'ls mode',
  },
  decodeMode: {
    name: 'How to choose words',
    hint: 'A word the server knows, usually “sampling”.',
    also: 'decode mode greedy sampling',
  },
  ttsTemperature: {
    name: 'Liveliness of the voice',
    hint: 'Low is even. High varies more and may slip.',
    also: 'tts temperature speech',
  },
  ttsRepetitionPenalty: {
    name: 'Avoid repeated sounds',
    hint: 'Above 1 the voice stumbles and drones less.',
    also: 'tts repetition penalty speech',
  },
  chunkMs: {
    name: 'Step length',
    hint: 'How much sound is sent at a time. Shorter is faster if the server keeps up.',
    also: 'chunk milliseconds latency delay',
  },
} as const;
