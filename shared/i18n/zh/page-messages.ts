import type { PageMessages } from '../messages.ts';
import { chineseChat, chineseCursor, chineseTools } from './chat.ts';
import { chineseErrors } from './errors.ts';
import { chineseHistory, chineseCompare, chineseExport, chineseReplay } from './history.ts';
import { chineseMemory, chineseModel } from './settings-panels.ts';
import { chinesePresets } from './prompts.ts';
import { chineseSettings } from './settings.ts';
import {
  chineseAbout,
  chineseButtons,
  chineseFirstRun,
  chineseGuide,
  chineseInspector,
  chineseKeys,
  chinesePalette,
  chineseReport,
  chineseShell,
  chineseShortcuts,
  chineseStartLink,
} from './shell.ts';
import { chineseAroundTalk, chineseMini, chineseTalk } from './talk.ts';

export const chinesePage: PageMessages = {
  tagline: '能说、能听、能看。',
  places: {
    name: '页面',
    talk: '通话',
    chat: '聊天',
    history: '历史',
    settings: '设置',
    replay: '回放',
  },
  buttons: chineseButtons,
  shell: chineseShell,
  palette: chinesePalette,
  shortcuts: chineseShortcuts,
  mini: chineseMini,
  startLink: chineseStartLink,
  keys: chineseKeys,
  settings: chineseSettings,
  about: chineseAbout,
  talk: chineseTalk,
  aroundTalk: chineseAroundTalk,
  replay: chineseReplay,
  firstRun: chineseFirstRun,
  history: chineseHistory,
  compare: chineseCompare,
  export: chineseExport,
  guide: chineseGuide,
  report: chineseReport,
  inspector: chineseInspector,
  chat: chineseChat,
  model: chineseModel,
  memory: chineseMemory,
  cursor: chineseCursor,
  tools: chineseTools,
  presets: chinesePresets,
  errors: chineseErrors,
};
