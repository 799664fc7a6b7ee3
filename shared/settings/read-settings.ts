import { appError, type AppError, type Outcome } from '../errors/app-error.ts';
import type { StateFile } from '../ports/files.ts';
import { isJsonObject, type JsonObject } from '../protocol/json.ts';
import { withExistingChoice, withTokenFlags } from './connection-settings.ts';
import {
  type RedactedSettings,
  redactSettings,
  allSettings,
  defaultSettings,
  type Settings,
} from './settings.ts';
import type { ReportProblem } from './setting-rule.ts';

interface SettingsRead {
  readonly settings: Settings;
  readonly error?: AppError | undefined;
  /** A newer version wrote the file; saving would lose its additional settings. */
  readonly newer?: true;
}

/** Each step converts one version to the next, starting at version 1. */
type Migrations = readonly ((old: JsonObject) => JsonObject)[];

const migrations: Migrations = [splitRetentionDays, dropTapeSound];

/** Version 1 had one retention period for everything. */
function splitRetentionDays(old: JsonObject): JsonObject {
  const { privacy } = old;
  if (!isJsonObject(privacy) || privacy['days'] === undefined) return old;
  const { days } = privacy;
  return { ...old, privacy: { talkDays: days, tapeDays: days, ...privacy } };
}

/** Version 2 had a choice of the sound format of tapes. */
function dropTapeSound(old: JsonObject): JsonObject {
  if (!isJsonObject(old['privacy'])) return old;
  const { tapeSound: _tapeSound, ...privacy } = old['privacy'];
  return { ...old, privacy };
}

/** Defaults for missing or invalid fields of an existing file. Its user has finished the first-run steps. */
export const storedSettingsFallback: Settings = { ...defaultSettings, firstRun: { done: true } };

/** Reads stored settings. A missing or invalid field falls back to `lastGood`, else to its default; the others stay. */
export function readSettings(
  value: unknown,
  steps: Migrations = migrations,
  lastGood?: Settings,
): SettingsRead {
  const currentVersion = steps.length + 1;
  const fallback = lastGood ?? storedSettingsFallback;
  if (!isJsonObject(value)) {
    const code = lastGood === undefined ? 'settingsUnread' : 'settingsUnreadRestored';
    return { settings: fallback, error: appError(code) };
  }
  const { version = 1, ...fields } = value;
  const firstVersion = typeof version === 'number' && version >= 1 ? Math.floor(version) : 1;
  const groups = steps.slice(firstVersion - 1).reduce((old, step) => step(old), fields);
  const problems = new RuleProblems();
  const read = allSettings.read(groups, fallback, '', problems.add);
  const settings = {
    ...read,
    endpoints: withExistingChoice(read.endpoints),
    cursor: withExistingMode(read.cursor),
  };
  // Fields of a newer version are not damage.
  if (firstVersion > currentVersion)
    return { settings, error: appError('settingsNewer'), newer: true };
  if (problems.first === undefined) return { settings };
  const code = lastGood === undefined ? 'settingsPartly' : 'settingsPartlyRestored';
  const error = appError(code, { places: problems.paths }, { detail: problems.summary });
  return { settings, error };
}

/** Resets the mode of dictation if its action is gone. Another action may get the same id later. */
function withExistingMode(cursor: Settings['cursor']): Settings['cursor'] {
  const { actions, dictation } = cursor;
  const exists = dictation.mode === 'verbatim' || actions.some(({ id }) => id === dictation.mode);
  return exists ? cursor : { ...cursor, dictation: { ...dictation, mode: 'clean' } };
}

export function writeSettings(settings: Settings): string {
  return `${JSON.stringify({ version: migrations.length + 1, ...settings }, undefined, 2)}\n`;
}

/** Applies a patch; if one value is invalid, nothing changes. */
export function changeSettings(settings: Settings, patch: unknown): Outcome<Settings> {
  const problems = new RuleProblems();
  const read = allSettings.read(patch ?? null, settings, '', problems.add);
  const { first } = problems;
  if (first !== undefined) return { ok: false, error: { ...first, detail: problems.summary } };
  const { chosen, list } = read.endpoints;
  if (chosen !== settings.endpoints.chosen && !list.some(({ id }) => id === chosen))
    return { ok: false, error: appError('serverGone') };
  const endpoints = withTokenFlags(settings.endpoints, withExistingChoice(read.endpoints));
  return { ok: true, value: { ...read, endpoints, cursor: withExistingMode(read.cursor) } };
}

const maxShown = 5;

class RuleProblems {
  readonly #list: string[] = [];
  readonly #paths = new Set<string>();
  /** The user sees only the first error. Others are rare, and appear once it is fixed. */
  first: AppError | undefined;

  readonly add: ReportProblem = (path, must, error) => {
    this.#paths.add(truncatePath(path));
    this.first ??= error ?? appError('settingNotAllowed', { place: truncatePath(path) });
    this.#list.push(`${truncatePath(path)} ${must}`.trim());
  };

  /** The paths, for the user; the log gets the broken rules, too. */
  get paths(): string {
    const more = this.#paths.size > maxShown ? ['…'] : [];
    return [...[...this.#paths].slice(0, maxShown), ...more].join(', ');
  }

  get summary(): string {
    const more = this.#list.length - maxShown;
    const tail = more > 0 ? [`and ${more} more`] : [];
    return [...this.#list.slice(0, maxShown), ...tail].join('; ');
  }
}

/** A path can contain a name from outside, of any length. */
function truncatePath(path: string): string {
  return path.length > 80 ? `${path.slice(0, 80)}…` : path;
}

/** Reads the file, or returns the defaults without one. The last good copy replaces damaged parts. */
export function readStoredSettings(
  stored: Outcome<string | undefined>,
  lastGood?: () => Outcome<string | undefined>,
): SettingsRead {
  if (stored.ok && stored.value === undefined) return { settings: defaultSettings };
  const value = stored.ok ? parse(stored.value ?? '') : undefined;
  const read = stored.ok
    ? readSettings(value)
    : { settings: storedSettingsFallback, error: stored.error };
  if (read.error === undefined || read.newer === true) return read;
  const intact = parseIntactSettings(lastGood?.());
  if (intact === undefined) return read;
  const restored = readSettings(value, undefined, intact);
  return stored.ok ? restored : { ...restored, error: withCause(restored.error, stored.error) };
}

function withCause(error: AppError | undefined, cause: AppError): AppError {
  return error === undefined ? cause : { ...error, cause };
}

/** Undefined if the copy is missing or damaged. */
function parseIntactSettings(copy: Outcome<string | undefined> | undefined): Settings | undefined {
  if (copy?.ok !== true || copy.value === undefined) return undefined;
  const { settings, error } = readSettings(parse(copy.value));
  return error === undefined ? settings : undefined;
}

/** Reads the settings for a page that opens before the core. */
export function readInitialSettings(file: Pick<StateFile, 'read'>): RedactedSettings {
  return redactSettings(readStoredSettings(file.read()).settings);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
