import type { OpenFolder, SaveMethod } from '../../shared/ports/files.ts';
import { RoomController } from '../audio/devices/room-controller.ts';
import { createSaveTargets } from '../platform/files/scratch-folder.ts';
import { stampOf } from '../platform/system/system-clock.ts';
import { CompareController } from '../recordings/compare/compare-controller.ts';
import {
  ExportController,
  SavedFolder,
  RoomTestSaver,
} from '../recordings/export/export-controller.ts';
import { ExportOrigins } from '../recordings/export/export-origins.ts';
import type { ReplayController } from '../recordings/replay/replay-controller.ts';
import { RerunConnector } from '../recordings/rerun/rerun-tape.ts';
import type { Audio } from './audio.ts';
import type { Chats } from './chats.ts';
import type { Machine } from './machine.ts';
import { exportTools, type Recordings, type Tapes } from './recordings.ts';
import { ReportController, type ReportMaker } from './report-maker.ts';
import type { Servers } from './servers.ts';

interface Parts {
  readonly machine: Machine;
  readonly servers: Servers;
  readonly audio: Audio;
  readonly tapes: Tapes;
  readonly recordings: Recordings;
  readonly chats: Chats;
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

/** Handles requests for comparisons, exports, problem reports and room tests. */
export class Saving {
  readonly #parts: Parts;
  readonly handlers;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.handlers = { ...this.#openComparing().handlers, ...this.#savingHandlers() };
  }

  /** Compares stored talks with each other and with a server's answers now. */
  #openComparing(): CompareController {
    const { clock, wallClock, lifetime, notices, dataFolder } = this.#parts.machine;
    const { sessions, texts, serverCodec, connector } = this.#parts.servers;
    const { finder, tapes } = this.#parts.recordings;
    const comparing = new CompareController({
      clock,
      codec: serverCodec,
      openConversation: sessions.openConversation,
      carryOverMessages: texts.carryOverMessages,
      folder: dataFolder('tapes'),
      readHeader: this.#parts.tapes.archive.readHeader,
      tapes: finder,
      rendering: this.#parts.tapes.rendering,
      connect: new RerunConnector({
        connector,
        sessions,
        tapes,
        stamp: () => stampOf(wallClock()),
      }).connect,
      post: notices.post,
    });
    lifetime.add(() => comparing.end(), 'comparison');
    return comparing;
  }

  #savingHandlers() {
    const { clock, files, lifetime, notices } = this.#parts.machine;
    const { saveMethod = noDialog } = this.#parts;
    const { post } = notices;
    const chooseTarget = createSaveTargets(saveMethod);
    const saved = new SavedFolder(this.#parts.openFolder);
    const { tapes, talkRecorder, talks } = this.#parts.recordings;
    const replayed = () => this.#parts.replay.path;
    const reports = new ReportController({
      maker: this.#parts.reports,
      tapes,
      replayed,
      shownTalk: () => talkRecorder.shownId,
      chooseTarget,
      saved,
      today: () => new Date().toISOString().slice(0, 10),
    });
    const exporting = new ExportController({
      origins: new ExportOrigins({
        files,
        tools: exportTools,
        chats: this.#parts.chats.opener.controller,
        talks,
        tapes,
        replayPath: replayed,
        openExport: this.#parts.tapes.exports.openExport,
        formatTime: (ms) => new Date(ms).toISOString(),
        transcriptWords: this.#parts.servers.texts.transcriptWords,
      }),
      chooseTarget,
      hasFfmpeg: exportTools.hasFfmpeg,
      post,
      saved,
    });
    lifetime.add(() => exporting.end(), 'export');
    lifetime.add(() => reports.drop(), 'problem report');
    const { devices, roomPhrase, lock } = this.#parts.audio;
    const { settings } = this.#parts.servers;
    const roomTestSaver = new RoomTestSaver({
      files,
      saveMethod,
      chooseTarget,
      saved,
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
    return { ...exporting.handlers, ...reports.handlers, ...room.handlers, showSaved: saved.show };
  }
}
