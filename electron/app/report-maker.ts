import { release } from 'node:os';
import { join } from 'node:path';
import {
  type About,
  type NativeLibraries,
  nativeLibraryNames,
  type PreparedReport,
  type ReportFile,
  type ReportOf,
} from '../../shared/app/program.ts';
import { failure, mapOutcome, type Outcome } from '../../shared/errors/app-error.ts';
import { type Page, PageCleanup } from '../../shared/ipc/page.ts';
import type { ReportHandlers } from '../../shared/ipc/recordings-ipc.ts';
import {
  type ChooseSaveTarget,
  type Files,
  fileSize,
  writeContent,
} from '../../shared/ports/files.ts';
import type { ExportResult } from '../../shared/recordings/export-format.ts';
import type { Settings } from '../../shared/settings/settings.ts';
import type { SoundDevice, SoundDriver } from '../audio/devices/sound-driver.ts';
import type { SavedFolder } from '../recordings/export/export-controller.ts';
import type { ExportTools, PackedEntry } from '../recordings/export/export-tools.ts';
import { isTapeOf, type TalkTapes } from '../recordings/record/talk-tapes.ts';
import { redactLog } from '../recordings/redact/redact-text.ts';
import { tapeFileNames, type TapeHealth } from '../recordings/tape/inspect-tape.ts';
import { tapeFiles } from '../recordings/tape/tape.ts';
import type { AudioComposition } from './audio-composition.ts';
import type { Machine } from './machine.ts';
import { logFolder } from './process-log.ts';
import { exportTools, type Tapes } from './recordings-composition.ts';
import type { ServersComposition } from './servers-composition.ts';

export interface ReportMakerDeps {
  readonly files: Files;
  readonly tools: Pick<ExportTools, 'packZip' | 'openScratch'>;
  /** Copies a tape with masked words, noise for voices, blurred pictures and replaced names. */
  readonly redactTape: (path: string, into: string) => Promise<Outcome<TapeHealth>>;
  /** Facts about this machine, a line each. */
  readonly facts: () => Promise<readonly string[]>;
  /** Newest first. */
  readonly logPaths: readonly string[];
}

export interface MadeReport extends PreparedReport {
  readonly pack: (path: string) => Promise<Outcome<undefined>>;
  readonly remove: () => Promise<void>;
}

const maxLogBytes = 4_000_000;
const maxLogLines = 400;
const maxPreview = 20_000;

/** Makes a report of facts, the redacted log and a redacted tape. */
export class ReportMaker {
  readonly #deps: ReportMakerDeps;

  constructor(deps: ReportMakerDeps) {
    this.#deps = deps;
  }

  async make(tape: string | undefined): Promise<Outcome<MadeReport>> {
    const { tools } = this.#deps;
    const scratch = await tools.openScratch();
    if (!scratch.ok) return scratch;
    const { path: folder, remove } = scratch.value;
    const report = await this.#fill(folder, tape).catch(async (error: unknown) => {
      await remove();
      throw error;
    });
    if (!report.ok) {
      await remove();
      return report;
    }
    const entries = listEntries(
      folder,
      report.value.files.map(({ name }) => name),
    );
    const pack = (path: string) => tools.packZip(path, entries);
    return { ok: true, value: { ...report.value, pack, remove } };
  }

  async #fill(folder: string, tape: string | undefined): Promise<Outcome<PreparedReport>> {
    const about = await this.#write(folder, 'about.txt', await this.#about(tape !== undefined));
    if (!about.ok) return about;
    const log = await this.#write(folder, 'log.txt', await this.#log());
    if (!log.ok) return log;
    const texts = [about.value, log.value];
    if (tape === undefined) return { ok: true, value: { files: texts, recordedAt: undefined } };
    return mapOutcome(await this.#packTape(folder, tape), ({ file, recordedAt }) => ({
      files: [...texts, file],
      recordedAt,
    }));
  }

  async #write(folder: string, name: string, text: string): Promise<Outcome<ReportFile>> {
    const written = await writeContent(this.#deps.files, `${folder}/${name}`, text);
    if (!written.ok) return written;
    const bytes = fileSize(this.#deps.files, `${folder}/${name}`) ?? 0;
    return { ok: true, value: { name, bytes, preview: makePreview(text) } };
  }

  async #about(hasTape: boolean): Promise<string> {
    const facts = await this.#deps.facts();
    const tape = hasTape
      ? 'talk.parleytape: the talk with the same timing and the same fault. Its words are masked letter by letter, its voices are noise of the same level, its pictures are blurred, its names and addresses are replaced.'
      : 'This report contains no recording.';
    return [
      'Parley problem report. Parley did not send it.',
      '',
      ...facts,
      '',
      tape,
      'log.txt: the last lines of the log. Every word that is not Parley’s own is masked.',
      '',
    ].join('\n');
  }

  /** The newest lines, including the rotated file if the current one is short. */
  async #log(): Promise<string> {
    const lines: string[] = [];
    for (const path of this.#deps.logPaths) {
      if (lines.length >= maxLogLines) break;
      const text = await this.#deps.files.readText(path, maxLogBytes);
      if (text.ok) lines.unshift(...text.value.trimEnd().split('\n').slice(-maxLogLines));
    }
    return `${redactLog(lines.slice(-maxLogLines).join('\n'))}\n`;
  }

  async #packTape(
    folder: string,
    tape: string,
  ): Promise<Outcome<{ readonly file: ReportFile; readonly recordedAt: string }>> {
    const { files, tools, redactTape } = this.#deps;
    const into = `${folder}/talk`;
    const redacted = await redactTape(tape, into);
    if (!redacted.ok) return redacted;
    const names = await tapeFileNames(into, { files });
    if (!names.ok) return names;
    const entries = listEntries(into, names.value);
    const name = 'talk.parleytape';
    const packed = await tools.packZip(`${folder}/${name}`, entries);
    if (!packed.ok) return packed;
    const size = fileSize(files, `${folder}/${name}`);
    if (size === undefined) return failure('fileGone', { path: `${folder}/${name}` });
    const parts = entries.map(
      (entry) => `${entry.name}  ${fileSize(files, entry.path) ?? 0} bytes`,
    );
    const lines = await files.readText(`${into}/${tapeFiles.lines}`, maxTapeBytes);
    const text = lines.ok ? lines.value : '';
    return {
      ok: true,
      value: {
        file: { name, bytes: size, preview: makePreview([...parts, '', text].join('\n')) },
        recordedAt: redacted.value.header.recordedAt,
      },
    };
  }
}

function listEntries(folder: string, names: readonly string[]): readonly PackedEntry[] {
  return names.map((name) => ({ name, path: `${folder}/${name}` }));
}

const maxTapeBytes = 256 * 1024 * 1024;

function makePreview(text: string): string {
  return text.length > maxPreview ? `${text.slice(0, maxPreview)}\n…` : text;
}

interface ReportFactsDeps {
  readonly about: About;
  /** For example `linux x64` and the system's version. */
  readonly system: string;
  readonly nativeLibraries: NativeLibraries;
  readonly sound: Pick<SoundDriver, 'devices'>;
  readonly settings: () => Settings;
  readonly now: () => string;
}

/** The facts of `parley doctor` without the sound test. Device names are left out, because people choose them. */
async function reportFacts(deps: ReportFactsDeps): Promise<readonly string[]> {
  const { about, nativeLibraries, sound, settings, now } = deps;
  const libraries = await Promise.all(
    nativeLibraryNames.map(async (library) => {
      const state = await nativeLibraries.load(library);
      const description = state.state === 'loads' ? state.detail : redactLog(state.reason);
      return `${library}: ${state.state}, ${description}`;
    }),
  );
  const devices = await sound.devices();
  return [
    `Created: ${now()}`,
    `${about.name} ${about.version}, ${about.host}, ${deps.system}`,
    ...about.runtime.map(({ name, version }) => `${name} ${version}`),
    ...libraries,
    ...(devices.ok ? devices.value.map(deviceLine) : [`sound devices: ${devices.error.code}`]),
    '',
    'Settings that are switches or numbers:',
    ...plainSettings(settings()),
  ];
}

function deviceLine(device: SoundDevice): string {
  const { hostApi, rate, inputChannels, outputChannels } = device;
  const systems = [
    device.defaultInput ? ', the system’s microphone' : '',
    device.defaultOutput ? ', the system’s speaker' : '',
  ];
  return `device: ${hostApi}, ${rate} Hz, ${inputChannels} in, ${outputChannels} out${systems.join('')}`;
}

/** Lists only switches and numbers, because texts and lists may hold personal data. */
function plainSettings(value: object, prefix = ''): readonly string[] {
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    if (typeof inner === 'boolean' || typeof inner === 'number') return [`  ${path}: ${inner}`];
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return [];
    return plainSettings(inner, path);
  });
}

export function openReportMaker({
  about,
  machine,
  servers,
  audio,
  tapes,
}: {
  readonly about: About;
  readonly machine: Pick<Machine, 'folder' | 'files' | 'nativeLibraries'>;
  readonly servers: Pick<ServersComposition, 'settings'>;
  readonly audio: Pick<AudioComposition, 'driver'>;
  readonly tapes: Pick<Tapes, 'redactTape'>;
}): ReportMaker {
  const { folder, files, nativeLibraries } = machine;
  return new ReportMaker({
    files,
    tools: exportTools,
    redactTape: tapes.redactTape,
    logPaths: ['parley.log', 'parley.1.log'].map((name) => join(logFolder(folder), name)),
    facts: () =>
      reportFacts({
        about,
        nativeLibraries,
        sound: audio.driver,
        system: `${process.platform} ${process.arch} ${release()}`,
        settings: () => servers.settings.get(),
        now: () => new Date().toISOString(),
      }),
  });
}

interface Deps {
  readonly maker: Pick<ReportMaker, 'make'>;
  readonly tapes: Pick<TalkTapes, 'names' | 'pathOf'>;
  readonly replayed: () => string | undefined;
  readonly shownTalk: () => string | undefined;
  readonly chooseTarget: ChooseSaveTarget;
  readonly saved: Pick<SavedFolder, 'remember'>;
  readonly today: () => string;
}

/** The date where the user is, as 2026-01-31. */
export function localDate(at: Date): string {
  return at.toLocaleDateString('sv');
}

/** Prepares a problem report, which the user reviews and then saves or drops. */
export class ReportController {
  readonly #deps: Deps;
  #report: MadeReport | undefined;
  /** The page that shows the report. Another page must not save what its user has not reviewed. */
  #page: Page | undefined;
  readonly #pageCleanup = new PageCleanup();
  /** Counts requests, so that the result of an older one is dropped. */
  #requestCount = 0;

  readonly handlers: ReportHandlers = {
    prepareReport: ({ of }, page) => this.#prepare(of, page),
    saveReport: (_input, page) => this.#save(page),
    dropReport: (_input, page) => (page === this.#page ? this.drop() : undefined),
  };

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async drop(): Promise<void> {
    this.#requestCount += 1;
    this.#pageCleanup.clear();
    const report = this.#report;
    this.#report = undefined;
    await report?.remove();
  }

  async #prepare(subject: ReportOf, page: Page): Promise<Outcome<PreparedReport>> {
    this.#page = page;
    await this.drop();
    const requestNumber = this.#requestCount;
    const report = await this.#deps.maker.make(await this.#findTape(subject));
    if (!report.ok) return report;
    if (requestNumber !== this.#requestCount) {
      await report.value.remove();
      return failure('exportStopped');
    }
    this.#report = report.value;
    const { files, recordedAt } = report.value;
    this.#pageCleanup.set(page, () => void this.drop());
    return { ok: true, value: { files, recordedAt } };
  }

  async #findTape(subject: ReportOf): Promise<string | undefined> {
    const { tapes, replayed, shownTalk } = this.#deps;
    if (subject.kind === 'replay') return replayed();
    const names = [...(await tapes.names())].toSorted();
    const id = subject.kind === 'talk' ? subject.id : shownTalk();
    // Names sort by time. A talk has several tapes if its last minutes were saved more than once.
    const newest =
      subject.kind === 'last'
        ? names.at(-1)
        : names.findLast((name) => id !== undefined && isTapeOf(name, id));
    return newest === undefined ? undefined : tapes.pathOf(newest);
  }

  async #save(page: Page): Promise<Outcome<ExportResult>> {
    const report = page === this.#page ? this.#report : undefined;
    if (report === undefined) return failure('reportGone');
    const chosen = await this.#deps.chooseTarget(`Parley report ${this.#deps.today()}.zip`);
    if (!chosen.ok) return chosen;
    const target = chosen.value;
    if (target === undefined) return { ok: true, value: { kind: 'cancelled' } };
    const packed = await report.pack(target.draft);
    if (packed.ok) return this.#deps.saved.remember(await target.commit());
    await target.discard();
    return packed;
  }
}
