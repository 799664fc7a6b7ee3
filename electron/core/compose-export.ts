import { basename, dirname, join } from 'node:path';
import { hasFfmpeg, runFfmpeg } from '../adapters/export/ffmpeg.ts';
import { packZip } from '../adapters/export/zip-writer.ts';
import { startSha256 } from '../adapters/system/sha256-digest.ts';
import { bufferBase64 } from '../adapters/system/buffer-base64.ts';
import { makeScratchFolder } from '../adapters/files/scratch-folder.ts';
import { unpackTape } from '../adapters/files/unpack-tape.ts';
import { TalkPublisher } from '../controllers/talk-publisher.ts';
import { parseStoredTalk } from '../recorder/history/stored-talk.ts';
import type { Clock } from '../ports/clock.ts';
import type { ExportTools } from '../ports/export-tools.ts';
import type { Files } from '../ports/files.ts';
import type { Frames } from '../ports/pictures.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { OpenTape } from '../recorder/recording/open-tape.ts';
import type { TapeHealth } from '../recorder/recording/check-tape.ts';
import { inTapePlace, plainTapePath, tapeStem } from '../recorder/recording/tape-place.ts';
import { redactTape } from '../recorder/recording/redaction/redact-tape.ts';
import { cutTape } from '../recorder/replay/cut/cut-tape.ts';
import type { TapeStretch } from '../recorder/replay/cut/stretch-lines.ts';
import { compareTalks } from '../recorder/replay/compare/compare-talks.ts';
import { measureChat } from '../recorder/replay/compare/measure-chat.ts';
import { measureTalk } from '../recorder/replay/compare/measure-talk.ts';
import type { MeasuredTalk } from '../recorder/replay/compare/measure-talk.ts';
import type { TapeComparison } from '../../shared/compare/tape-comparison.ts';
import { TapeExporter } from '../recorder/replay/export/tape-exporter.ts';
import type { ExportSource, OpenedExport } from '../recorder/replay/export/tape-exporter.ts';
import type { TranscriptWords } from '../recorder/replay/export/transcript-files.ts';
import { wholeFilm } from '../recorder/replay/whole-film.ts';
import type { FilmMakerDeps } from '../recorder/replay/film-maker-deps.ts';
import { createClientCodec } from '../../shared/protocol/client-codec.ts';
import { failure } from '../../shared/errors/app-error.ts';
import type { TalkRecord } from '../../shared/history/talk-record.ts';
import { madeTape } from './made-tape.ts';
import type { SessionServices } from './compose-sessions.ts';

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
    openPublisher: (post) => new TalkPublisher(post),
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
