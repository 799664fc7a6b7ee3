import type { Words } from './words.ts';
import { about } from './chinese/about.ts';
import { keys } from './chinese/keys.ts';
import { settings } from './chinese/settings.ts';
import { shell } from './chinese/shell.ts';
import { talk } from './chinese/talk.ts';

export const chinese: Words = {
  language: 'zh-CN',
  tagline: '能说、能听、能看。',
  places: { name: '页面', talk: '对话', settings: '设置' },
  shell,
  keys,
  settings,
  about,
  talk,
};
