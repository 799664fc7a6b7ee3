/** What the assistant is told and how it makes its answers; as in `settings-rows.ts`. */
export const englishSettingsAssistant = {
  preset: {
    name: 'Manner',
    hint: 'What the assistant is told before you begin. It counts from the next talk or question on.',
    also: 'preset role persona system prompt character',
  },
  instructions: {
    name: 'Your own instructions',
    hint: 'Written to the assistant, as you would brief a person.',
    also: 'system prompt',
  },
  lengthPenalty: {
    name: 'Length of answers',
    hint: 'Higher makes answers longer, lower makes them end sooner.',
    also: 'length penalty short long',
  },
  temperature: {
    name: 'Surprise in words',
    hint: 'Low stays with the likeliest words; high is livelier and errs more.',
    also: 'temperature creativity',
  },
  topK: {
    name: 'Words to choose from',
    hint: 'How many of the likeliest next words are considered.',
    also: 'top k sampling',
  },
  topP: {
    name: 'Share of likely words',
    hint: 'Only the likeliest words that together reach this share are considered.',
    also: 'top p nucleus sampling',
  },
  textRepetitionPenalty: {
    name: 'Avoid repeated words',
    hint: 'Above 1 the model avoids what it has just said.',
    also: 'repetition penalty text',
  },
  listenProbScale: {
    name: 'Readiness to listen',
    hint: 'Higher makes it fall silent sooner when you speak; lower makes it talk on.',
    also: 'listen probability scale',
  },
  listenTopK: {
    name: 'Rank of listening',
    hint: 'It may stop to listen only while that is among so many of its likeliest next steps.',
    also: 'listen top k',
  },
  maxNewSpeakTokensPerChunk: {
    name: 'Words a step',
    hint: 'The most it says for each step of sound. Too few make it halt, too many make it hard to interrupt.',
    also: 'tokens per chunk speak',
  },
  forceListenCount: {
    name: 'Listen first',
    hint: 'For so many steps at the start it only listens.',
    also: 'force listen count',
  },
  generateAudio: {
    name: 'Speak answers',
    hint: 'Switched off, answers come as captions only.',
    also: 'generate audio mute text only',
  },
  lsMode: {
    name: 'Way of deciding to speak',
    hint: 'A word that the server knows. Leave it unless whoever runs the server says otherwise.',
    also: 'ls mode',
  },
  decodeMode: {
    name: 'Way of choosing words',
    hint: 'A word that the server knows, usually “sampling”.',
    also: 'decode mode greedy sampling',
  },
  ttsTemperature: {
    name: 'Liveliness of the voice',
    hint: 'Low speaks evenly; high varies more and may slip.',
    also: 'tts temperature speech',
  },
  ttsRepetitionPenalty: {
    name: 'Avoid repeated sounds',
    hint: 'Above 1 the voice stumbles and drones less.',
    also: 'tts repetition penalty speech',
  },
  chunkMs: {
    name: 'Length of a step',
    hint: 'So much sound goes to the server at a time. Shorter answers sooner, where the server keeps up.',
    also: 'chunk milliseconds latency delay',
  },
} as const;
