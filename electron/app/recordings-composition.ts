import { appError, type AppError, type Outcome } from '../../shared/errors/app-error.ts';
import { describeAppError } from '../../shared/i18n/en/errors.ts';
import type { TalkRecord } from '../../shared/recordings/talk-record.ts';
import { hasFfmpeg, runFfmpeg } from '../platform/ffmpeg.ts';
import { openScratchFolder } from '../platform/files/scratch-folder.ts';
import { unpackTape, packZip } from '../platform/files/zip.ts';
import { bufferBase64, startSha256 } from '../platform/system/base64-sha256.ts';
import { stampOf } from '../platform/system/system-clock.ts';
import { CompareController } from '../recordings/compare/compare-controller.ts';
import { TapeTools } from '../recordings/edit/tape-tools.ts';
import { ExportOpener } from '../recordings/export/export-origins.ts';
import type { ExportTools } from '../recordings/export/export-tools.ts';
import { chatHistorySource } from '../recordings/history/chat-history-source.ts';
import { HistoryChanges } from '../recordings/history/history-handlers.ts';
import { HistoryLibrary } from '../recordings/history/history-library.ts';
import { IndexSync } from '../recordings/history/index-sync.ts';
import { HistoryRetention, Retention, Trash } from '../recordings/history/retention.ts';
import { TalkRecorder } from '../recordings/history/talk-recorder.ts';
import { TalkSource, TapedTalkSource } from '../recordings/history/talk-source.ts';
import { RecentTapeController, TalkTapes } from '../recordings/record/talk-tapes.ts';
import { redactTape } from '../recordings/redact/redact-tape.ts';
import { ReplayController } from '../recordings/replay/replay-controller.ts';
import type { TapeRendererDeps } from '../recordings/replay/tape-renderer.ts';
import { RerunConnector } from '../recordings/rerun/rerun-tape.ts';
import type { TapeHealth } from '../recordings/tape/inspect-tape.ts';
import { TapeFinder, withTapeFolder, TapeArchive } from '../recordings/tape/tape-archive.ts';
import type { SettingsStore } from '../settings/settings-store.ts';
import type { AudioComposition } from './audio-composition.ts';
import type { Machine } from './machine.ts';
import { exampleTape } from './resources.ts';
import type { ServersComposition } from './servers-composition.ts';

/** Outside tools for exports, reports and edited tapes. */
export const exportTools: ExportTools = {
  convert: runFfmpeg,
  hasFfmpeg,
  packZip,
  openScratch: () => openScratchFolder('export'),
};

/** Writes, reads, redacts and exports tapes in any folder. */
export class Tapes {
  readonly archive: TapeArchive;
  readonly exports: ExportOpener;
  /** Copies a tape with its timing, but with masked words, noise for voices, blurred pictures and replaced names. */
  readonly redactTape: (path: string, into: string) => Promise<Outcome<TapeHealth>>;
  /** Dependencies to render a tape outside a page. */
  readonly rendering: () => Promise<TapeRendererDeps>;

  constructor(
    {
      clock,
      wallClock,
      files,
      frames,
      upsampler,
    }: Pick<Machine, 'clock' | 'wallClock' | 'files' | 'frames' | 'upsampler'>,
    {
      sessions,
      texts,
      serverCodec,
    }: Pick<ServersComposition, 'sessions' | 'texts' | 'serverCodec'>,
  ) {
    const base64 = bufferBase64;
    const digest = startSha256;
    const unpack = unpackTape;
    this.rendering = async () => ({
      codec: serverCodec,
      openSession: sessions.openSession,
      carryOver: await texts.carryOverMessages(),
    });
    this.archive = new TapeArchive({
      files,
      clock,
      base64,
      digest,
      unpack,
      upsampler,
      wallNow: wallClock,
      writeTime: (ms) => new Date(ms).toISOString(),
      parseTime: Date.parse,
    });
    this.redactTape = (path, into) =>
      withTapeFolder(path, { files, unpack }, (folder, displayPath) =>
        redactTape(folder, into, { files, base64, frames, displayPath }),
      );
    this.exports = new ExportOpener({
      files,
      clock,
      tools: exportTools,
      archive: this.archive,
      rendering: this.rendering,
      words: texts.transcriptWords,
    });
  }
}

/** Stored talks and chats: writing, listing and expiry. */
export class RecordingsComposition {
  readonly retention: Retention;
  readonly texts: TalkSource;
  readonly talks: TapedTalkSource;
  readonly tapes: TalkTapes;
  readonly recent: RecentTapeController;
  readonly talkRecorder: TalkRecorder;
  readonly sync: IndexSync;
  readonly library: HistoryLibrary;
  readonly finder: TapeFinder;
  readonly #machine: Machine;
  readonly #archive: TapeArchive;

  constructor(machine: Machine, settings: SettingsStore, archive: TapeArchive) {
    this.#machine = machine;
    this.#archive = archive;
    const { clock, wallClock: wallNow, lifetime, talkStore, historyIndex: index } = machine;
    const privacy = () => settings.get().privacy;

    this.retention = new Retention({
      file: machine.stateFile('retention'),
      clock,
      wallNow,
      privacy,
      onPostponed: this.#reportChatProblem,
    });
    lifetime.add(() => this.retention.end(), 'retention');

    this.texts = new TalkSource(talkStore);
    const folder = machine.dataFolder('tapes');
    this.tapes = new TalkTapes({
      folder,
      openTape: archive.openTape,
      privacy,
      reportError: this.#reportTapeProblem,
    });
    const { tapes } = this;
    this.talks = new TapedTalkSource(this.texts, tapes, archive.readFacts);
    const sources = [this.talks, this.#chatSource()];

    const changes = new HistoryChanges({ clock, post: machine.notices.post });
    this.sync = new IndexSync({
      sources,
      index,
      clock,
      onIndexChange: changes.onChange,
      reportError: (error, kind) =>
        machine.notices.post(kind === 'chat' ? 'chatProblem' : 'talkTrouble', error),
    });
    this.talkRecorder = this.#openTalkRecorder(settings);
    this.recent = new RecentTapeController({
      folder,
      openBuffer: archive.holdRecent,
      privacy,
      onChange: (hold) => this.talkRecorder.setRecent(hold),
    });
    this.library = new HistoryLibrary({
      sources,
      index,
      sync: this.sync,
      tapes: () => tapes.names(),
      runningId: () => this.talkRecorder.runningId,
      wallNow,
    });
    this.finder = new TapeFinder({
      folder,
      loadTapeAt: archive.loadTapeAt,
      exampleAt: exampleTape,
    });
    lifetime.add(async () => {
      changes.end();
      await this.talkRecorder.end();
      await this.sync.end();
      await index.close();
    }, 'history');
  }

  openTrash(kind: 'chats' | 'talks' | 'tapes'): Trash {
    const folder = this.#machine.dataFolder(`trash/${kind}`);
    return new Trash({ folder, daysOfUse: () => this.retention.daysOfUse });
  }

  /** Deletes expired talks, tapes and chats. Chats go through the chat controller, because it may have them open. */
  openHistoryRetention(removeExpiredChats: () => Promise<void>): HistoryRetention {
    const { clock, chatStore, dataFolder, notices } = this.#machine;
    return new HistoryRetention({
      clock,
      talks: this.texts,
      talkFolder: dataFolder('talks'),
      talkTrash: this.openTrash('talks'),
      tapes: this.tapes,
      tapeFolder: dataFolder('tapes'),
      tapeTrash: this.openTrash('tapes'),
      shouldKeepTape: this.shouldKeepTape,
      chatStore,
      removeExpiredChats,
      chatTrash: this.openTrash('chats'),
      retention: this.retention,
      sync: this.sync,
      reportError: (error) => notices.post('talkTrouble', error),
    });
  }

  /** Whether a tape never expires, because its talk is pinned or the user saved it. */
  readonly shouldKeepTape = async (name: string): Promise<boolean> =>
    (await this.#mayBePinned(name)) || this.#archive.isSaved(this.tapes.pathOf(name));

  readonly readTalkRecord = async (id: string): Promise<Outcome<TalkRecord>> => {
    const stored = await this.talks.record(id);
    return stored.ok ? { ok: true, value: stored.value.record } : stored;
  };

  /** Corrects the user's words in an ended talk; an empty text removes them. */
  readonly correctWords = async (
    id: string,
    at: number,
    text: string,
  ): Promise<Outcome<undefined>> => {
    const corrected = await this.texts.correctWords(id, at, text);
    if (corrected.ok) await this.sync.update({ kind: 'talk', id });
    return corrected;
  };

  /** Whether a talk is pinned. A talk that exists and cannot be read counts as pinned. */
  async #mayBePinned(id: string): Promise<boolean> {
    const stored = await this.texts.record(id);
    return stored.ok ? stored.value.record.pinned : stored.error.code !== 'talkRecordGone';
  }

  #chatSource() {
    const { chatStore: store, notices, dataFolder } = this.#machine;
    return chatHistorySource({
      store,
      onDamaged: async (id) => {
        const aside = await store.setAside(id);
        notices.post(
          'chatProblem',
          aside.ok ? appError('chatDamaged', { path: aside.value }) : aside.error,
        );
      },
      path: dataFolder('chats').path,
    });
  }

  #openTalkRecorder(settings: SettingsStore): TalkRecorder {
    const { talkStore, clock, wallClock, lifetime } = this.#machine;
    const talkRecorder = new TalkRecorder({
      store: talkStore,
      clock,
      wallNow: wallClock,
      keepTalks: () => settings.get().privacy.keepTalks,
      decide: (keep) => {
        const changed = settings.change({ privacy: { keepTalks: keep ? 'yes' : 'no' } });
        return changed.ok ? { ok: true, value: undefined } : changed;
      },
      addWords: (id, turn) => this.texts.addWords(id, turn),
      onChange: (id) => void this.sync.update({ kind: 'talk', id }),
      reportError: this.#reportTalkProblem,
    });
    lifetime.add(
      settings.listen((event) => {
        if (event.kind === 'changed') talkRecorder.settingsChanged();
      }),
      'settings listener: talk recorder',
    );
    return talkRecorder;
  }

  readonly #reportTalkProblem = (error: AppError): void =>
    this.#machine.notices.post('talkTrouble', error);

  readonly #reportTapeProblem = (error: AppError): void => {
    this.#machine.log.write('warn', describeAppError(error));
    this.#reportTalkProblem(error);
  };

  readonly #reportChatProblem = (error: AppError): void => {
    this.#machine.log.write('warn', describeAppError(error));
    this.#machine.notices.post('chatProblem', error);
  };
}

interface Parts {
  readonly machine: Machine;
  readonly servers: ServersComposition;
  readonly audio: AudioComposition;
  readonly recordings: RecordingsComposition;
}

/** A replay has a speaker but no sockets or microphone: its sessions come from the tape. */
export function openReplay({ machine, servers, audio, recordings }: Parts): ReplayController {
  const { clock, lifetime, notices } = machine;
  const { soundSettings, sessions, texts, wire, serverCodec } = servers;
  const replay = new ReplayController({
    clock,
    post: notices.post,
    lock: audio.lock,
    createSpeaker: audio.devices.createSpeaker,
    audio: () => soundSettings.get().audio,
    codec: serverCodec,
    openSession: sessions.openSession,
    carryOverMessages: texts.carryOverMessages,
    findRecord: recordings.readTalkRecord,
    parseTime: Date.parse,
    isWireWatched: () => wire.isWatched,
    tapes: recordings.finder,
  });
  lifetime.add(() => replay.end(), 'replay');
  return replay;
}

/** Compares stored talks with each other and with a server's answers now. */
export function openComparing(
  { clock, wallClock, lifetime, notices, dataFolder }: Machine,
  { sessions, texts, serverCodec, connector }: ServersComposition,
  { archive, rendering }: Tapes,
  { finder, tapes }: RecordingsComposition,
): CompareController {
  const comparing = new CompareController({
    clock,
    codec: serverCodec,
    openConversation: sessions.openConversation,
    carryOverMessages: texts.carryOverMessages,
    folder: dataFolder('tapes'),
    readHeader: archive.readHeader,
    tapes: finder,
    rendering,
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

/** Composes the terminal's tape tools, which the window does not use. */
export function openTapeTools(
  { files, frames }: Pick<Machine, 'files' | 'frames'>,
  { serverCodec, clientCodec }: Pick<ServersComposition, 'serverCodec' | 'clientCodec'>,
  { exports, rendering }: Pick<Tapes, 'exports' | 'rendering'>,
): TapeTools {
  return new TapeTools({
    files,
    frames,
    base64: bufferBase64,
    digest: startSha256,
    unpack: unpackTape,
    tools: exportTools,
    exports,
    rendering,
    serverCodec,
    clientCodec,
  });
}
