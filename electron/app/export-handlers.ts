import type { OpenFolder, SaveMethod } from '../../shared/ports/files.ts';
import { RoomController } from '../audio/devices/room-controller.ts';
import { createSaveTargets } from '../platform/files/scratch-folder.ts';
import {
  ExportController,
  SavedFolder,
  RoomTestSaver,
} from '../recordings/export/export-controller.ts';
import { ExportOrigins } from '../recordings/export/export-origins.ts';
import type { ReplayController } from '../recordings/replay/replay-controller.ts';
import type { AudioComposition } from './audio-composition.ts';
import type { ChatComposition } from './chat-composition.ts';
import type { Machine } from './machine.ts';
import { exportTools, type RecordingsComposition, type Tapes } from './recordings-composition.ts';
import { localDate, ReportController, type ReportMaker } from './report-maker.ts';
import type { ServersComposition } from './servers-composition.ts';

interface Parts {
  readonly machine: Machine;
  readonly servers: ServersComposition;
  readonly audio: AudioComposition;
  readonly tapes: Tapes;
  readonly recordings: RecordingsComposition;
  readonly chats: ChatComposition;
  readonly replay: ReplayController;
  readonly reports: ReportMaker;
  /** Undefined in the terminal, whose commands take a path as an argument. */
  readonly saveMethod: SaveMethod | undefined;
  readonly openFolder: OpenFolder | undefined;
}

/** Answers like a dialog that the user cancelled. */
const noDialog: SaveMethod = {
  kind: 'dialog',
  choose: () => Promise.resolve(undefined),
  chooseFolder: () => Promise.resolve(undefined),
};

/** Answers the requests that write files for the user: exports, problem reports and the sound of a room test. */
export function createExportHandlers({
  machine,
  servers,
  audio,
  tapes,
  recordings,
  chats,
  replay,
  reports,
  saveMethod = noDialog,
  openFolder,
}: Parts) {
  const { clock, files, lifetime, notices } = machine;
  const { post } = notices;
  const chooseTarget = createSaveTargets(saveMethod);
  const saved = {
    export: new SavedFolder(openFolder),
    report: new SavedFolder(openFolder),
    roomTest: new SavedFolder(openFolder),
  };
  const { talkRecorder, talks } = recordings;
  const replayPath = () => replay.path;
  const reportController = new ReportController({
    maker: reports,
    tapes: recordings.tapes,
    replayed: replayPath,
    shownTalk: () => talkRecorder.shownId,
    chooseTarget,
    saved: saved.report,
    today: () => localDate(new Date()),
  });
  const exporting = new ExportController({
    origins: new ExportOrigins({
      files,
      tools: exportTools,
      chats: chats.opener.controller,
      talks,
      tapes: recordings.tapes,
      replayPath,
      openExport: tapes.exports.openExport,
      formatTime: (ms) => new Date(ms).toISOString(),
      transcriptWords: servers.texts.transcriptWords,
    }),
    chooseTarget,
    hasFfmpeg: exportTools.hasFfmpeg,
    post,
    saved: saved.export,
  });
  lifetime.add(() => exporting.end(), 'export');
  lifetime.add(() => reportController.drop(), 'problem report');
  const { devices, roomPhrase, lock } = audio;
  const { soundSettings: settings } = servers;
  const roomTestSaver = new RoomTestSaver({
    files,
    saveMethod,
    chooseTarget,
    saved: saved.roomTest,
    tools: exportTools,
    now: () => new Date(),
  });
  const room = new RoomController({
    devices,
    roomPhrase,
    clock,
    settings,
    lock,
    post,
    chooseRoomPlace: roomTestSaver.choose,
  });
  return {
    ...exporting.handlers,
    ...reportController.handlers,
    ...room.handlers,
    showSaved: ({ of }: { readonly of: keyof typeof saved }) => saved[of].show(),
  };
}
