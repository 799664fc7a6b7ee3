import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import { type Files, writeContent } from '../../../shared/ports/files.ts';
import {
  type ExportFormat,
  exportFormats,
  type ExportLanguage,
  type ExportOrigin,
  textExports,
} from '../../../shared/recordings/export-format.ts';
import type { ChatController } from '../../chat/chat-controller.ts';
import { type TapedTalkSource, parseStoredTalk } from '../history/talk-source.ts';
import type { TalkTapes } from '../record/talk-tapes.ts';
import { chatExports, chatTranscript, type FormatTime, writeChatZip } from './chat-transcript.ts';
import type { ExportTools } from './export-tools.ts';
import {
  type ExportDeps,
  type ExportSource,
  type OpenedExport,
  TapeExporter,
} from './tape-exporter.ts';
import type { TalkRecord } from '../../../shared/recordings/talk-record.ts';
import {
  lastPathPart,
  normalizeTapePath,
  tapeStem,
  type TapeArchive,
} from '../tape/tape-archive.ts';
import type { TranscriptWords } from './talk-transcript.ts';

type ReadTranscriptWords = (language?: ExportLanguage) => Promise<TranscriptWords>;

export interface ExportOriginsDeps {
  readonly files: Files;
  readonly tools: Pick<ExportTools, 'openScratch' | 'packZip'>;
  readonly chats: () => Promise<Pick<ChatController, 'thread' | 'media'>>;
  readonly talks: Pick<TapedTalkSource, 'record' | 'pathOf'>;
  readonly tapes: Pick<TalkTapes, 'names' | 'pathOf'>;
  readonly replayPath: () => string | undefined;
  readonly openExport: ExportOpener['openExport'];
  readonly formatTime: FormatTime;
  readonly transcriptWords: ReadTranscriptWords;
}

/** An open source for exports; `release` closes it. */
export interface OpenedOrigin {
  readonly name: string;
  readonly exporter: Pick<TapeExporter, 'write' | 'stop'>;
  readonly release: () => Promise<void>;
}

/** Opens talks, written conversations and the current replay for export. */
export class ExportOrigins {
  readonly #deps: ExportOriginsDeps;

  constructor(deps: ExportOriginsDeps) {
    this.#deps = deps;
  }

  async formats(origin: ExportOrigin): Promise<Outcome<readonly ExportFormat[]>> {
    if (origin.kind === 'chat') {
      const thread = await (await this.#deps.chats()).thread(origin.id);
      return thread.ok ? { ok: true, value: [...chatExports, 'zip'] } : thread;
    }
    if (origin.kind === 'replay')
      return this.#deps.replayPath() === undefined ? failure('noReplay') : allFormats;
    const { tapes, talks } = this.#deps;
    if ((await tapes.names()).has(origin.id)) return allFormats;
    const record = await talks.record(origin.id);
    return record.ok ? { ok: true, value: [...textExports, 'zip'] } : record;
  }

  async open(origin: ExportOrigin, language?: ExportLanguage): Promise<Outcome<OpenedOrigin>> {
    if (origin.kind === 'chat') return this.#openChat(origin.id, language);
    if (origin.kind === 'talk') return this.#openTalk(origin.id, language);
    const path = this.#deps.replayPath();
    return path === undefined ? failure('noReplay') : this.#openReplay(path, language);
  }

  /** A replay of a tape from Parley's folder gets the name of its talk. Other tapes keep the name of their file. */
  #openReplay(path: string, language: ExportLanguage | undefined): Promise<Outcome<OpenedOrigin>> {
    const name = lastPathPart(tapeStem(path));
    return this.#deps.tapes.pathOf(name) === normalizeTapePath(path)
      ? this.#openTalk(name, language)
      : this.#openPath(path, name, language);
  }

  async #openTalk(
    id: string,
    language: ExportLanguage | undefined,
  ): Promise<Outcome<OpenedOrigin>> {
    const { tapes, talks } = this.#deps;
    const record = await talks.record(id);
    const title = record.ok ? record.value.record.title : '';
    const name = title === '' ? `Parley ${localTimeOf(id)}` : title;
    if (!(await tapes.names()).has(id))
      return record.ok ? this.#openPath(talks.pathOf(id), name, language) : record;
    const taped = await this.#openPath(tapes.pathOf(id), name, language);
    // If the tape is unreadable, the talk's text may still be there.
    return taped.ok || !record.ok ? taped : this.#openPath(talks.pathOf(id), name, language);
  }

  async #openPath(
    path: string,
    name: string,
    language: ExportLanguage | undefined,
  ): Promise<Outcome<OpenedOrigin>> {
    const opened = await this.#deps.openExport(path, language);
    return opened.ok ? { ok: true, value: { name, ...opened.value } } : opened;
  }

  async #openChat(
    id: string,
    language: ExportLanguage | undefined,
  ): Promise<Outcome<OpenedOrigin>> {
    const { chats, files, tools, transcriptWords, formatTime } = this.#deps;
    const controller = await chats();
    const thread = await controller.thread(id);
    if (!thread.ok) return thread;
    const words = await transcriptWords(language);
    const { title } = thread.value;
    let stopped = false;
    return {
      ok: true,
      value: {
        name: title === '' ? words.chatTitle : title,
        exporter: {
          write: (format, output) => {
            if (format === 'zip')
              return writeChatZip(thread.value, output, {
                tools,
                write: (path, content) => writeContent(files, path, content),
                media: (media) => controller.media(media),
                words,
                formatTime,
                isStopped: () => stopped,
              });
            const chatFormat = chatExports.find((each) => each === format);
            if (chatFormat === undefined)
              return Promise.resolve(failure('exportFormatUnsupported'));
            return writeContent(
              files,
              output,
              chatTranscript(thread.value, chatFormat, words, formatTime),
            );
          },
          stop: () => {
            stopped = true;
          },
        },
        release: () => Promise.resolve(),
      },
    };
  }
}

/** The local time of the UTC time in a talk's id. If the talk's last minutes were saved again, a number follows the time. */
function localTimeOf(id: string): string {
  const time = Date.parse(id.replace(/T(\d\d)-(\d\d)-(\d\d)-(\d{3}Z)(?:-\d+)?$/u, 'T$1:$2:$3.$4'));
  if (Number.isNaN(time)) return id;
  return new Date(time).toLocaleString('sv').slice(0, 16).replace(':', '-');
}

const allFormats = { ok: true, value: exportFormats } as const;

interface ExportOpenerDeps extends Pick<ExportDeps, 'files' | 'clock' | 'tools'> {
  readonly archive: Pick<TapeArchive, 'loadTapeAt'>;
  readonly rendering: () => Promise<ExportDeps['rendering']>;
  readonly words: ReadTranscriptWords;
}

/** A tape stays open until `release`. */
interface OpenedSource {
  readonly source: ExportSource;
  readonly release: () => Promise<void>;
}

const maxRecordBytes = 64 * 1024 * 1024;

/** Opens a tape or a talk's record at a path for export. */
export class ExportOpener {
  readonly #deps: ExportOpenerDeps;

  constructor(deps: ExportOpenerDeps) {
    this.#deps = deps;
  }

  /** If `language` is undefined, uses the language of the settings. */
  readonly openExport = async (
    path: string,
    language?: ExportLanguage,
  ): Promise<Outcome<OpenedExport>> => {
    const opened = await this.openSource(path);
    if (!opened.ok) return opened;
    const { source, release } = opened.value;
    const { files, tools, clock } = this.#deps;
    const [rendering, words] = [await this.#deps.rendering(), await this.#deps.words(language)];
    const exporter = new TapeExporter(source, { files, tools, clock, rendering, words });
    return { ok: true, value: { exporter, release } };
  };

  async openSource(path: string): Promise<Outcome<OpenedSource>> {
    const plain = normalizeTapePath(path).replace(/[/\\]talk\.json$/u, '');
    const record = await this.#readRecord(`${plain}/talk.json`);
    if (record !== undefined) {
      const source = { path, tape: undefined, record };
      return { ok: true, value: { source, release: () => Promise.resolve() } };
    }
    const loaded = await this.#deps.archive.loadTapeAt(plain);
    if (!loaded.ok) return loaded;
    const { release, ...tape } = loaded.value;
    const tapeRecord = await this.#readRecord(recordBeside(tapeStem(plain)));
    return { ok: true, value: { source: { path, tape, record: tapeRecord }, release } };
  }

  async #readRecord(path: string): Promise<TalkRecord | undefined> {
    const text = await this.#deps.files.readText(path, maxRecordBytes);
    const record = text.ok ? parseStoredTalk(path, text.value) : undefined;
    return record?.ok === true ? record.value : undefined;
  }
}

/** Path of the talk's record, which has the tape's name in the folder `talks` beside `tapes`. */
function recordBeside(stem: string): string {
  const parts = stem.split(/[/\\]/u);
  const tapes = parts.slice(0, -1);
  // If the path of the tape's folder does not end in a name, as in `./one`, `..` leads to the folder above it.
  const folder = /^\.{0,2}$/u.test(tapes.at(-1) ?? '') ? [...tapes, '..'] : tapes.slice(0, -1);
  return [...folder, 'talks', parts.at(-1), 'talk.json'].join('/');
}
