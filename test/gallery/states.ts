import type { GalleryState } from './gallery-state.ts';
import { firstRunStates } from './states/first-run.ts';
import { memoryStates } from './states/memory.ts';
import { toolStates } from './states/tools.ts';
import { computerStates } from './states/computer.ts';
import { exportStates } from './states/export.ts';
import { compareStates } from './states/compare.ts';
import { reportStates } from './states/report.ts';
import { historyStates } from './states/history.ts';
import { inspectorStates } from './states/inspector.ts';
import { keyStates } from './states/keys.ts';
import { visionStates } from './states/vision.ts';
import { settingsStates } from './states/settings.ts';
import { updateStates } from './states/updates.ts';
import { miniStates } from './states/mini.ts';
import { cursorStates } from './states/cursor.ts';
import { chatStates } from './states/chat.ts';
import { shellStates } from './states/shell.ts';
import { replayStates } from './states/replay.ts';
import { aroundTalkStates } from './states/around-talk.ts';
import { dockStates } from './states/dock.ts';
import { talkStates } from './states/talk.ts';

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
