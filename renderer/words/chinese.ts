import type { Words } from './words.ts';
import { about } from './chinese/about.ts';
import { firstRun } from './chinese/first-run.ts';
import { inspector } from './chinese/inspector.ts';
import { reasons } from './chinese/reasons.ts';
import { keys } from './chinese/keys.ts';
import { settings } from './chinese/settings.ts';
import { mini } from './chinese/mini.ts';
import { chat } from './chinese/chat.ts';
import { shell } from './chinese/shell.ts';
import { shortcuts } from './chinese/shortcuts.ts';
import { talk } from './chinese/talk.ts';

export const chinese: Words = {
  language: 'zh-CN',
  tagline: '能说、能听、能看。',
  places: { name: '页面', talk: '对话', chat: '聊天', settings: '设置' },
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
};
