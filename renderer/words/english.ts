import { about } from './english/about.ts';
import { firstRun } from './english/first-run.ts';
import { inspector } from './english/inspector.ts';
import { reasons } from './english/reasons.ts';
import { keys } from './english/keys.ts';
import { settings } from './english/settings.ts';
import { mini } from './english/mini.ts';
import { chat } from './english/chat.ts';
import { shell } from './english/shell.ts';
import { shortcuts } from './english/shortcuts.ts';
import { talk } from './english/talk.ts';

/** Every text of the screens. The other languages have the same keys, or they do not compile. */
export const english = {
  language: 'en',
  tagline: 'Talks, listens and sees.',
  places: { name: 'Places', talk: 'Talk', chat: 'Chat', settings: 'Settings' },
  shell,
  shortcuts,
  mini,
  keys,
  settings,
  about,
  talk,
  firstRun,
  inspector,
  reasons,
  chat,
} as const;
