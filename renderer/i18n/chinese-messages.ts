import type { Messages } from './messages.ts';
import { chineseAbout } from './chinese/about.ts';
import { chineseFirstRun } from './chinese/first-run.ts';
import { chineseInspector } from './chinese/inspector.ts';
import { chineseErrors } from '../../shared/i18n/zh/errors.ts';
import { chineseKeys } from './chinese/keys.ts';
import { chineseSettings } from './chinese/settings.ts';
import { chineseMini } from './chinese/mini.ts';
import { chineseChat } from './chinese/chat.ts';
import { chineseShell } from './chinese/shell.ts';
import { chineseShortcuts } from './chinese/shortcuts.ts';
import { chineseTalk } from './chinese/talk.ts';

export const chineseMessages: Messages = {
  language: 'zh-CN',
  tagline: '能说、能听、能看。',
  places: { name: '页面', talk: '对话', chat: '聊天', settings: '设置' },
  shell: chineseShell,
  shortcuts: chineseShortcuts,
  mini: chineseMini,
  keys: chineseKeys,
  settings: chineseSettings,
  about: chineseAbout,
  talk: chineseTalk,
  firstRun: chineseFirstRun,
  inspector: chineseInspector,
  errors: chineseErrors,
  chat: chineseChat,
};
