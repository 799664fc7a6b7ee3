import { basename, dirname, join } from 'node:path';
import { failure, type Outcome } from '../../shared/errors/app-error.ts';
import type { RoomHandlers } from '../../shared/ipc/audio-ipc.ts';
import type { PostNotice } from '../../shared/ipc/contract.ts';
import type { ExportHandlers, ReportHandlers } from '../../shared/ipc/recordings-ipc.ts';
import type { Lifetime } from '../../shared/lifetime.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { Files, SaveWay } from '../../shared/ports/files.ts';
import type { Frames } from '../../shared/ports/pictures.ts';
import { createClientCodec } from '../../shared/protocol/client-codec.ts';
import type { TalkRecord } from '../../shared/recordings/talk-record.ts';
import type { TapeComparison } from '../../shared/recordings/tape-comparison.ts';
import type { DeviceLock } from '../audio/devices/device-lease.ts';
import {
  RoomController,
  type RoomControllerDeps,
  type RoomPlace,
} from '../audio/devices/room-controller.ts';
import { roomName, writeRoom } from '../audio/devices/room-test.ts';
import { hasFfmpeg, runFfmpeg } from '../platform/ffmpeg.ts';
import { createDataFolder } from '../platform/files/data-folder.ts';
import { createSavePlaces, makeScratchFolder } from '../platform/files/scratch-folder.ts';
import { unpackTape } from '../platform/files/unpack-tape.ts';
import { packZip } from '../platform/files/zip-writer.ts';
import { bufferBase64, startSha256 } from '../platform/system/base64-sha256.ts';
import { stampOf, systemWallClock } from '../platform/system/system-clock.ts';
import { CompareController } from '../recordings/compare/compare-controller.ts';
import { compareTalks } from '../recordings/compare/compare-talks.ts';
import { measureChat } from '../recordings/compare/measure-chat.ts';
import { type MeasuredTalk, measureTalk } from '../recordings/compare/measure-talk.ts';
import { cutTape, type TapeStretch } from '../recordings/edit/cut-tape.ts';
import { ExportController, type SavedFolder } from '../recordings/export/export-controller.ts';
import { ExportOrigins } from '../recordings/export/export-origins.ts';
import type { ExportTools, PackedEntry } from '../recordings/export/export-tools.ts';
import type { TranscriptWords } from '../recordings/export/talk-transcript.ts';
import {
  type ExportSource,
  type OpenedExport,
  TapeExporter,
} from '../recordings/export/tape-exporter.ts';
import { parseStoredTalk } from '../recordings/history/talk-source.ts';
import { recordSockets } from '../recordings/record/tape-recorder.ts';
import { redactTape } from '../recordings/redact/redact-tape.ts';
import { type FilmMakerDeps, wholeFilm } from '../recordings/replay/film-maker.ts';
import { ReplayController } from '../recordings/replay/replay-controller.ts';
import type { TapeHealth } from '../recordings/tape/check-tape.ts';
import {
  inTapePlace,
  type OpenTape,
  plainTapePath,
  readTapeHeader,
  TapeFinder,
  tapeStem,
} from '../recordings/tape/open-tape.ts';
import type { ChatServices } from './compose-chat.ts';
import type { HistoryServices } from './compose-history.ts';
import type { SoundServices } from './compose-media.ts';
import type { SessionServices, SettingsServices } from './compose-servers.ts';
import type { TalkServices } from './compose-talk.ts';
import { ReportController } from './reports/report-controller.ts';
import type { ReportMaker } from './reports/report-maker.ts';
import { exampleTape } from './resources.ts';
import { madeTape } from './tape-files.ts';
import type { WireWatcher } from './wire-watcher.ts';

export interface ExportServices {
  /** What is made of the tape, or of the text of a talk, that lies at a path; nobody else has it until it is left. */
  readonly openExport: (path: string) => Promise<Outcome<OpenedExport>>;
  /** Whether sound in FLAC and video can be made on this machine. */
  readonly hasFfmpeg: () => Promise<boolean>;
  /** How two tapes of the same talk differ. */
  readonly compareTapes: (path: string, other: string) => Promise<Outcome<TapeComparison>>;
  /** Makes a tape that replays as another one, with nobody's words, voice, pictures and names. */
  readonly redactTape: (path: string, into: string) => Promise<Outcome<TapeHealth>>;
  /** Makes a tape of a stretch of another one, in a new or empty folder or as one file. */
  readonly cutTape: (
    path: string,
    into: string,
    stretch: TapeStretch,
  ) => Promise<Outcome<TapeHealth>>;
}

interface FilmServices extends Pick<SessionServices, 'carryOverMessages'> {
  readonly openSession: FilmMakerDeps['openSession'];
  readonly serverCodec: FilmMakerDeps['codec'];
}

interface Deps extends FilmServices, Pick<SessionServices, 'loadTapeAt'> {
  readonly clock: Clock;
  readonly files: Files;
  readonly frames: Frames;
  readonly transcriptWords: () => Promise<TranscriptWords>;
}

const maxRecordBytes = 64 * 1024 * 1024;

export const exportTools: ExportTools = {
  convert: (args, made) => runFfmpeg(args, made),
  hasFfmpeg: () => hasFfmpeg(),
  packZip: (path, entries) => packZip(path, entries),
  openScratch: () => makeScratchFolder('export'),
};

export function composeExport(deps: Deps): ExportServices {
  const { clock, files, frames } = deps;
  return {
    compareTapes: async (path, other) => {
      const [one, two] = [await measuredAt(path, deps), await measuredAt(other, deps)];
      if (!one.ok) return one;
      if (!two.ok) return two;
      const [chat, alsoChat] = [one, two].map(({ value }) => value.measures.mode === 'chat');
      return chat === alsoChat
        ? { ok: true, value: compareTalks(one.value, two.value) }
        : failure('comparedKinds');
    },
    redactTape: (path, into) =>
      inTapePlace(path, { files, unpack: unpackTape }, (folder, called) =>
        madeTape(into, files, (made) =>
          redactTape(folder, made, { files, frames, base64: bufferBase64, called }),
        ),
      ),
    hasFfmpeg: exportTools.hasFfmpeg,
    cutTape: async (path, into, stretch) => {
      const film = await filmMakerDeps(deps);
      return inTapePlace(path, { files, unpack: unpackTape }, (folder, called) =>
        madeTape(into, files, (made) =>
          cutTape(folder, made, stretch, {
            files,
            base64: bufferBase64,
            digest: startSha256,
            film,
            called,
          }),
        ),
      );
    },
    openExport: async (path) => {
      const opened = await openSource(path, deps);
      if (!opened.ok) return opened;
      const { source, leave } = opened.value;
      const film = await filmMakerDeps(deps);
      const words = await deps.transcriptWords();
      const exporter = new TapeExporter(source, { files, tools: exportTools, clock, film, words });
      return { ok: true, value: { exporter, leave } };
    },
  };
}

async function measuredAt(path: string, deps: Deps): Promise<Outcome<MeasuredTalk>> {
  const opened = await openSource(path, deps);
  if (!opened.ok) return opened;
  const { source, leave } = opened.value;
  const tape = source.tape?.tape;
  const made =
    tape === undefined
      ? failure('notTape', { path })
      : await measuredOf(tape, await filmMakerDeps(deps));
  await leave();
  return made;
}

async function measuredOf(tape: OpenTape, deps: FilmMakerDeps): Promise<Outcome<MeasuredTalk>> {
  if (tape.header.mode === 'chat') {
    const server = createClientCodec(bufferBase64);
    return { ok: true, value: measureChat(tape, { ours: deps.codec, server }) };
  }
  const made = await wholeFilm(tape, deps);
  return made.ok ? { ok: true, value: measureTalk(made.value.film, tape.header) } : made;
}

/** A film without pages: what it shows is only read. */
async function filmMakerDeps({
  openSession,
  serverCodec,
  carryOverMessages,
}: FilmServices): Promise<FilmMakerDeps> {
  return {
    openSession,
    codec: serverCodec,
    carryOver: await carryOverMessages(),
  };
}

async function openSource(
  path: string,
  deps: Deps,
): Promise<Outcome<{ readonly source: ExportSource; readonly leave: () => Promise<void> }>> {
  const plain = plainTapePath(path).replace(/[/\\]talk\.json$/u, '');
  const own = await readRecord(join(plain, 'talk.json'), deps.files);
  if (own !== undefined) {
    const source = { path, tape: undefined, record: own };
    return { ok: true, value: { source, leave: () => Promise.resolve() } };
  }
  const loaded = await deps.loadTapeAt(plain);
  if (!loaded.ok) return loaded;
  const { leave, ...tape } = loaded.value;
  // The text of the same talk stands under the same name beside the tapes.
  const stem = tapeStem(plain);
  const beside = join(dirname(dirname(stem)), 'talks', basename(stem), 'talk.json');
  const record = await readRecord(beside, deps.files);
  return { ok: true, value: { source: { path, tape, record }, leave } };
}

async function readRecord(path: string, files: Files): Promise<TalkRecord | undefined> {
  const text = await files.readText(path, maxRecordBytes);
  const record = text.ok ? parseStoredTalk(path, text.value) : undefined;
  return record?.ok === true ? record.value : undefined;
}

interface ComposeSavingDeps
  extends
    Pick<ChatServices, 'chats'>,
    Pick<ExportServices, 'openExport' | 'hasFfmpeg'>,
    Pick<HistoryServices, 'keptTalks' | 'keeper'>,
    Pick<SessionServices, 'transcriptWords'>,
    Pick<TalkServices, 'tapes'> {
  readonly files: Files;
  readonly reports: ReportMaker;
  readonly replay: Pick<ReplayController, 'path'>;
  readonly post: PostNotice;
  readonly lifetime: Lifetime;
  readonly saved: SavedFolder;
  readonly saveWay?: SaveWay | undefined;
}

/** Where nobody can be asked, nothing is saved. */
const nowhere: SaveWay = {
  kind: 'dialog',
  choose: () => Promise.resolve(undefined),
  chooseFolder: () => Promise.resolve(undefined),
};

/** Files that a person wants to have of what is kept, and reports of a problem. */
export function composeSaving(deps: ComposeSavingDeps): ExportHandlers & ReportHandlers {
  const choosePlace = createSavePlaces(deps.saveWay ?? nowhere);
  const { saved } = deps;
  const reports = new ReportController({
    ...deps,
    maker: deps.reports,
    choosePlace,
    replayed: () => deps.replay.path,
    shownTalk: () => deps.keeper.shownId,
    today: () => new Date().toISOString().slice(0, 10),
  });
  const exporting = new ExportController({
    ...deps,
    choosePlace,
    origins: new ExportOrigins({
      ...deps,
      tools: exportTools,
      talks: deps.keptTalks,
      writeTime: (ms) => new Date(ms).toISOString(),
      replayed: () => deps.replay.path,
    }),
  });
  deps.lifetime.add(() => {
    exporting.end();
  }, 'an export');
  deps.lifetime.add(() => reports.drop(), 'a report');
  return { ...exporting.handlers, ...reports.handlers, showSaved: saved.show };
}

interface ComposeCompareDeps
  extends
    Pick<
      SessionServices,
      'openSession' | 'openConversation' | 'loadTapeAt' | 'serverCodec' | 'carryOverMessages'
    >,
    Pick<SettingsServices, 'endpoints'>,
    Pick<TalkServices, 'tapes'> {
  readonly folder: string;
  readonly files: Files;
  readonly clock: Clock;
  readonly post: PostNotice;
  readonly lifetime: Lifetime;
}

/** Talks that are kept, held against others and against what a server answers now. */
export function composeCompare({
  tapes,
  endpoints,
  ...deps
}: ComposeCompareDeps): CompareController {
  const { openSession, serverCodec, files } = deps;
  const folder = createDataFolder(join(deps.folder, 'tapes'));
  const comparing = new CompareController({
    ...deps,
    codec: serverCodec,
    folder,
    headerOf: (path) => readTapeHeader(path, files),
    tapes: new TapeFinder({ loadTapeAt: deps.loadTapeAt, folder, exampleAt: exampleTape }),
    film: async () => ({
      openSession,
      codec: serverCodec,
      carryOver: await deps.carryOverMessages(),
    }),
    connect: async (id, facts) => {
      const connected = await endpoints.connect(id);
      if (!connected.ok) return connected;
      const { profile, endpoint, sockets } = connected.value;
      const tape = stampOf(systemWallClock());
      const { dialect } = profile;
      const address = endpoint?.url ?? profile.id;
      const { recorder, finish, shown } = await tapes.begin(
        tape,
        { ...facts, dialect, endpoint: address },
        'asked',
      );
      shown();
      if (recorder === undefined) return failure('tapeFailed');
      const recorded = recordSockets(sockets, recorder);
      return {
        ok: true,
        value: {
          tape,
          finish,
          dialect,
          recorder,
          openSession: (options, emit) =>
            openSession(options, { sockets: recorded, emit, server: endpoint?.url }),
        },
      };
    },
  });
  deps.lifetime.add(() => {
    comparing.end();
  }, 'a comparison');
  return comparing;
}

interface ComposeReplayDeps
  extends
    Pick<SessionServices, 'openSession' | 'loadTapeAt' | 'serverCodec' | 'carryOverMessages'>,
    Pick<SettingsServices, 'settings'>,
    Pick<HistoryServices, 'talkRecordOf'>,
    Pick<SoundServices, 'createSpeaker'> {
  readonly folder: string;
  readonly clock: Clock;
  readonly lock: DeviceLock;
  readonly post: PostNotice;
  readonly wire: Pick<WireWatcher, 'watched'>;
  readonly lifetime: Lifetime;
}

/**
 * The replay of tapes: it is given a speaker, and neither sockets nor a microphone. Its sessions are those of the tape.
 */
export function composeReplay({
  settings,
  wire,
  serverCodec,
  ...deps
}: ComposeReplayDeps): ReplayController {
  const replay = new ReplayController({
    clock: deps.clock,
    post: deps.post,
    lock: deps.lock,
    createSpeaker: deps.createSpeaker,
    audio: () => settings.get().audio,
    codec: serverCodec,
    openSession: deps.openSession,
    carryOverMessages: deps.carryOverMessages,
    textOf: deps.talkRecordOf,
    timeOf: Date.parse,
    wireWatched: () => wire.watched,
    tapes: new TapeFinder({
      loadTapeAt: deps.loadTapeAt,
      folder: createDataFolder(join(deps.folder, 'tapes')),
      exampleAt: exampleTape,
    }),
  });
  deps.lifetime.add(() => replay.end(), 'the replay');
  return replay;
}

interface ComposeRoomDeps extends Omit<RoomControllerDeps, 'chooseRoomPlace'> {
  readonly files: Files;
  readonly saved: Pick<SavedFolder, 'note'>;
  readonly saveWay?: SaveWay | undefined;
}

/** Trying a room, and keeping what was recorded there: in a folder, or as a zip where a browser fetches it. */
export function composeRoom(deps: ComposeRoomDeps): RoomHandlers {
  const { files, saved, saveWay = nowhere } = deps;
  const chooseRoomPlace = async (): Promise<RoomPlace | undefined> => {
    const name = roomName(new Date());
    if (saveWay.kind === 'download') return zipPlace(name, saveWay, files);
    const folder = await saveWay.chooseFolder();
    if (folder === undefined) return undefined;
    return async (room) => {
      const written = await writeRoom(files, folder, name, room);
      if (!written.ok) return written;
      for (const path of written.value.slice(0, 1))
        saved.note({ ok: true, value: { kind: 'file', path } });
      return { ok: true, value: { kind: 'folder', path: folder } };
    };
  };
  return new RoomController({ ...deps, chooseRoomPlace }).handlers;
}

/** A browser fetches one file. */
function zipPlace(name: string, way: SaveWay, files: Files): RoomPlace {
  return async (room) => {
    const place = await createSavePlaces(way)(`${name}.zip`);
    if (place === undefined) return { ok: true, value: { kind: 'unplaced' } };
    const scratch = await exportTools.openScratch();
    const written = await writeRoom(files, scratch.path, name, room);
    const packed = written.ok
      ? await exportTools.packZip(place.draft, written.value.map(entryOf))
      : written;
    await scratch.remove();
    if (packed.ok) return place.keep();
    await place.drop();
    return packed;
  };
}

const entryOf = (path: string): PackedEntry => ({ name: basename(path), path });
