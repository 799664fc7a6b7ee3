/** Texts for system menus, software catalogues and permission prompts; packaging builds them in. */
export const englishPackaging = {
  generic: 'Voice assistant',
  summary: 'Talk with an assistant that listens, sees and answers',
  keywords: 'voice, speech, talk, assistant, chat, captions',
  startTalking: 'Start talking',
  miniWindow: 'Mini window',
  tape: 'Parley recording',
  about:
    'Parley is an assistant that you talk with as with a person: it listens while it speaks, can be interrupted, and sees ' +
    'your camera or your screen if you let it. It speaks with a MiniCPM-o server of your choice, and offline with a demonstration.',
  points: {
    captions: 'Live captions, word for word as they are heard',
    keys: 'Push-to-talk, also while another program has the keyboard',
    history: 'Talks and written conversations, kept on this machine only, and only if you want it',
    replay: 'Recordings that play a talk again as it was',
  },
  picture: 'A talk with captions, and both voices as one ribbon',
  microphone: 'Parley listens to what you say during a talk.',
  camera: 'Parley shows your camera to the server of your talk while you have it switched on.',
} as const;
