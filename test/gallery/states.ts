import type { GalleryState } from './gallery-state.ts';
import {
  aroundTalkStates,
  firstRunStates,
  inspectorStates,
  shellStates,
} from './states/around-talk.ts';
import { chatStates, replayStates } from './states/chat.ts';
import { cursorStates, miniStates } from './states/cursor.ts';
import { compareStates, exportStates, historyStates, reportStates } from './states/history.ts';
import { keyStates, memoryStates, updateStates } from './states/settings-more.ts';
import { settingsStates } from './states/settings.ts';
import { dockStates, talkStates, visionStates } from './states/talk.ts';
import { computerStates, toolStates } from './states/tools.ts';

export const galleryStates: Readonly<Record<string, GalleryState>> = {
  ...talkStates,
  ...aroundTalkStates,
  ...dockStates,
  ...visionStates,
  ...replayStates,
  ...firstRunStates,
  ...inspectorStates,
  ...chatStates,
  ...historyStates,
  ...compareStates,
  ...exportStates,
  ...reportStates,
  ...shellStates,
  ...settingsStates,
  ...updateStates,
  ...memoryStates,
  ...toolStates,
  ...computerStates,
  ...keyStates,
  ...miniStates,
  ...cursorStates,
};
