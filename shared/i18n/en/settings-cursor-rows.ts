/** The small window over other programs. */
export const englishSettingsCursor = {
  enabled: {
    name: 'Use Parley in other programs',
    hint: 'A small window answers questions and takes dictation where you work. Parley listens for its keys only.',
    also: 'cursor quick ask global hotkey launcher overlay anywhere dictate',
  },
  askKey: {
    name: 'Quick ask',
    hint: 'Opens the small window with what you selected at hand.',
    also: 'global hotkey shortcut launcher',
  },
  dictateKey: {
    name: 'Dictate',
    hint: 'Hold it and speak, or tap, speak and tap. A password field can’t be told apart: don’t use it there.',
    also: 'global hotkey shortcut speech to text voice typing password',
  },
  lookKey: {
    name: 'Look at this',
    hint: 'Shows your screen to the talk once, without sharing it.',
    also: 'global hotkey shortcut screenshot picture screen',
  },
  regionKey: {
    name: 'Look at a part',
    hint: 'Shows a part of your screen, which you choose, to the talk once.',
    also: 'global hotkey shortcut screenshot picture region area',
  },
  always: {
    name: 'Always include',
    hint: 'Otherwise each is offered, and goes only if you click it.',
    also: 'selection clipboard window title privacy',
  },
  speakAnswers: {
    name: 'Speak answers',
    hint: 'Reads quick answers aloud.',
    also: 'voice speech read aloud tts',
  },
  dictation: {
    name: 'Dictation',
    hint: 'Word for word, without filler words, or rewritten by one of your actions.',
    also: 'mode verbatim clean filler words punctuation',
  },
  language: {
    name: 'Language of dictation',
    hint: 'If empty, Parley writes the language it hears.',
    also: 'dictate speech recognition',
  },
  words: {
    name: 'Your own words',
    hint: 'One a line: names and words to spell this way. They go along with each dictation.',
    also: 'vocabulary names dictionary spelling jargon',
  },
  firstLanguage: {
    name: 'Your language',
    hint: 'Translate puts other languages into this one.',
    also: 'translate translation',
  },
  secondLanguage: {
    name: 'Your other language',
    hint: 'Translate puts your own language into this one.',
    also: 'translate translation',
  },
  actions: {
    name: 'Actions',
    hint: 'Each is a prompt for the text you selected. {{first}} and {{second}} stand for your languages.',
    also: 'prompt explain translate shorten correct reply summarize rewrite',
  },
} as const;
