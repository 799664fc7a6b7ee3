import type { AppError, Outcome } from '../../../../shared/errors/app-error.ts';
import { describeAppError } from '../../../../shared/i18n/en/errors.ts';
import type { ModelFilesState } from '../../../../shared/model/local-model-state.ts';
import { toSafeJson } from '../../../../shared/text.ts';
import { mirrorIds } from '../../../model/model-catalogue.ts';
import type { ModelFiles } from '../../../model/model-files.ts';
import type { SettingsStore } from '../../../settings/settings-store.ts';
import {
  CommandError,
  exitCode,
  type ExitCode,
  type OpenCore,
  type Terminal,
  terminalCommand,
  type TerminalCore,
} from '../terminal-command.ts';
import type { CommandSpec } from '../options/command-spec.ts';
import { jsonOption } from '../options/connection-options.ts';
import { LiveLine } from '../views/live-line.ts';

const modelCommandSpec = {
  name: 'model',
  summary: 'download, verify or delete the model that runs on this computer',
  word: {
    name: 'status|download|verify|remove',
    about: {
      status: 'shows which of the model’s files are present',
      download: 'downloads the missing files, and resumes an interrupted download; Ctrl-C pauses',
      verify: 'verifies the checksum of every file',
      remove: 'deletes the model’s files and no others',
    },
    missing: 'Name an action: parley model status, download, verify or remove.',
  },
  options: {
    folder: {
      value: 'DIR',
      filled: true,
      file: true,
      about: 'the folder for the model’s files (default: as in the settings)',
    },
    mirror: {
      value: 'M',
      choices: mirrorIds,
      about: 'the mirror to try first (default: as in the settings)',
    },
    yes: { about: 'with remove: deletes without confirmation' },
    ...jsonOption,
  },
  notes: [
    'With --json, each line is {"event": NAME, …}; NAME is status, progress, verifying, ready, paused, removed or error.',
    'PARLEY_MODEL_CATALOGUE names a JSON file with a different list of files and mirrors: {"revision", "files": [{"path", "bytes", "sha256"}], "mirrors": [{"id", "base"}]}.',
    'Files from before the first download are never replaced or deleted.',
    'Exit: 0 the model is complete (or removed), 1 it is not, 2 wrong usage, 3 no mirror could be reached',
  ],
} as const satisfies CommandSpec;

export const modelCommand = terminalCommand(
  modelCommandSpec,
  async (
    { word, options },
    terminal,
    openCore: OpenCore<
      Pick<TerminalCore, 'openModelFiles'> & { readonly settings: Pick<SettingsStore, 'get'> }
    >,
  ) => {
    const { folder, mirror, yes, json } = options;
    const core = await openCore();
    const files = await core.openModelFiles(folder);
    const view = json ? new JsonModelView(terminal) : new TextModelView(terminal);
    if (word === 'status') return view.status(await files.examine(), files.folder);
    if (word === 'remove') return remove(files, view, yes);
    const stopListening = files.listen(view.progress);
    const stopInterrupts = terminal.onInterrupt?.(() => void files.pause());
    const firstMirror = mirror ?? core.settings.get().model.mirror;
    const outcome = await (word === 'download' ? files.download(firstMirror) : files.verify());
    stopInterrupts?.();
    stopListening();
    return view.end(outcome);
  },
);

async function remove(files: ModelFiles, view: ModelView, isConfirmed: boolean): Promise<ExitCode> {
  if (!isConfirmed && !files.isForeign) {
    const bytes = await files.storedBytes();
    if (bytes > 0)
      throw new CommandError(
        `${formatGb(bytes)} in ${files.folder} would be deleted: add --yes to confirm.`,
        exitCode.wrongUsage,
      );
  }
  const removed = await files.remove();
  return removed.ok ? view.removed(removed.value, files.folder) : view.end(removed);
}

interface ModelView {
  readonly status: (state: ModelFilesState, folder: string) => ExitCode;
  readonly progress: (state: ModelFilesState) => void;
  readonly removed: (bytes: number, folder: string) => ExitCode;
  readonly end: (outcome: Outcome<ModelFilesState>) => ExitCode;
}

/** Prints JSON. Scripts rely on the names of events and fields. */
class JsonModelView implements ModelView {
  readonly #terminal: Terminal;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  status(state: ModelFilesState, folder: string): ExitCode {
    const { kind, ...rest } = state;
    this.#write('status', { state: kind, folder, ...rest });
    return kind === 'ready' ? exitCode.done : exitCode.failed;
  }

  readonly progress = (state: ModelFilesState): void => {
    const { kind, ...rest } = state;
    if (kind === 'downloading') {
      const { trouble, ...progress } = state;
      const { kind: _kind, bytesPerSecond, ...others } = progress;
      const speed = Math.round(bytesPerSecond);
      const code = trouble && { trouble: trouble.code };
      this.#write('progress', { ...others, bytesPerSecond: speed, ...code });
    } else if (kind === 'verifying') this.#write('verifying', rest);
  };

  removed(bytes: number, folder: string): ExitCode {
    this.#write('removed', { folder, bytes });
    return exitCode.done;
  }

  end(outcome: Outcome<ModelFilesState>): ExitCode {
    if (!outcome.ok) {
      const { code } = outcome.error;
      this.#write('error', { code, message: describeAppError(outcome.error) });
      return errorExitCode(outcome.error);
    }
    const state = outcome.value;
    if (state.kind !== 'ready') {
      const { bytes, totalBytes } = 'totalBytes' in state ? state : { bytes: 0, totalBytes: 0 };
      this.#write('paused', { bytes, totalBytes });
      return exitCode.failed;
    }
    this.#write('ready', { folder: state.folder, totalBytes: state.totalBytes });
    return exitCode.done;
  }

  #write(event: string, fields: object): void {
    this.#terminal.out(`${toSafeJson({ event, ...fields })}\n`);
  }
}

class TextModelView implements ModelView {
  readonly #terminal: Terminal;
  readonly #line: LiveLine;
  #trouble: AppError | undefined;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.#line = new LiveLine(terminal);
  }

  status(state: ModelFilesState, folder: string): ExitCode {
    this.#terminal.out(`Files: ${describeFiles(state)}\nFolder: ${folder}\n`);
    return state.kind === 'ready' ? exitCode.done : exitCode.failed;
  }

  readonly progress = (state: ModelFilesState): void => {
    if (state.kind === 'verifying')
      this.#line.rewrite(`Verifying · ${formatProgress(state.bytes, state.totalBytes)}`);
    if (state.kind !== 'downloading') return;
    if (state.trouble !== this.#trouble && state.trouble !== undefined) {
      this.#line.clear();
      this.#terminal.err(`${describeAppError(state.trouble)}\n`);
      this.#terminal.err(`The download continues from ${state.mirror}.\n`);
    }
    this.#trouble = state.trouble;
    const { file, files, bytes, totalBytes, bytesPerSecond, secondsLeft, mirror } = state;
    const parts = [
      `File ${file} of ${files}`,
      formatProgress(bytes, totalBytes),
      ...(bytesPerSecond > 0 ? [`${(bytesPerSecond / 1e6).toFixed(1)} MB/s`] : []),
      ...(secondsLeft === undefined ? [] : [`${formatSeconds(secondsLeft)} left`]),
      mirror,
    ];
    this.#line.rewrite(parts.join(' · '));
  };

  removed(bytes: number, folder: string): ExitCode {
    this.#terminal.out(`Deleted ${formatGb(bytes)} in ${folder}.\n`);
    return exitCode.done;
  }

  end(outcome: Outcome<ModelFilesState>): ExitCode {
    this.#line.clear();
    if (!outcome.ok)
      throw new CommandError(describeAppError(outcome.error), errorExitCode(outcome.error));
    const state = outcome.value;
    if (state.kind === 'ready') {
      this.#terminal.out(`The model is complete: ${state.folder}\n`);
      return exitCode.done;
    }
    this.#terminal.err(
      state.kind === 'paused'
        ? `Paused at ${formatProgress(state.bytes, state.totalBytes)}: parley model download resumes it.\n`
        : 'Stopped.\n',
    );
    return exitCode.failed;
  }
}

function describeFiles(state: ModelFilesState): string {
  if (state.kind === 'ready') return `complete and verified, ${formatGb(state.totalBytes)}`;
  if (state.kind !== 'missing') return state.kind;
  const { bytes, totalBytes } = state;
  return bytes === totalBytes
    ? 'complete but not verified: run parley model verify'
    : `${formatProgress(bytes, totalBytes)}: run parley model download for the rest`;
}

function errorExitCode({ code }: AppError): ExitCode {
  return /^modelMirror|proxy/iu.test(code) ? exitCode.outOfReach : exitCode.failed;
}

function formatProgress(bytes: number, totalBytes: number): string {
  const [size = '', unit = ''] = formatGb(totalBytes).split(' ');
  return `${(bytes / (unit === 'GB' ? 1e9 : 1e6)).toFixed(1)} of ${size} ${unit}`;
}

function formatGb(bytes: number): string {
  return bytes < 1e8 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

function formatSeconds(seconds: number): string {
  if (seconds < 100) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 100 ? `${minutes} min` : `${(seconds / 3600).toFixed(1)} h`;
}
