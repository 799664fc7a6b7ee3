import type { GalleryState } from './gallery-state.ts';
import { aroundTalkStates } from './states/around-talk.ts';
import { chatStates } from './states/chat.ts';
import { computerStates } from './states/computer.ts';
import { cursorStates, miniStates } from './states/cursor.ts';
import { firstRunStates } from './states/first-run.ts';
import { compareStates, exportStates, historyStates, reportStates } from './states/history.ts';
import { keyStates } from './states/keys.ts';
import { memoryStates } from './states/memory.ts';
import { replayStates } from './states/replay.ts';
import { settingsStates } from './states/settings.ts';
import { inspectorStates, shellStates } from './states/shell.ts';
import { dockStates, talkStates } from './states/talk.ts';
import { toolStates } from './states/tools.ts';
import { updateStates } from './states/updates.ts';
import { visionStates } from './states/vision.ts';

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
