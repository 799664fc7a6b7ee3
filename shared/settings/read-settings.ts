import { appError, type AppError, type Outcome } from '../errors/app-error.ts';
import type { StateFile } from '../ports/files.ts';
import { isJsonObject, type JsonObject } from '../protocol/json.ts';
import { withChosen, withTokensOf } from './connection-settings.ts';
import type { Checked } from './endpoint.ts';
import { type RedactedSettings, redactSettings } from './redacted-settings.ts';
import type { ReportProblem } from './setting-rule.ts';
import { allSettings, defaultSettings, type Settings } from './settings.ts';

interface SettingsRead {
  readonly settings: Settings;
  /** What could not be taken. */
  readonly error?: AppError | undefined;
  /** Written by a newer version, which knows more of them than can be kept here. */
  readonly newer?: true;
}

/** Each makes of one version the next; the first one takes version 1. */
type Migrations = readonly ((old: JsonObject) => JsonObject)[];

const migrations: Migrations = [withDaysOfEach, withoutTapeSound];

/** The days were those of everything once. */
function withDaysOfEach(old: JsonObject): JsonObject {
  const { privacy } = old;
  if (!isJsonObject(privacy) || privacy['days'] === undefined) return old;
  const { days } = privacy;
  return { ...old, privacy: { talkDays: days, tapeDays: days, ...privacy } };
}

/** How tapes are written could be chosen once. */
function withoutTapeSound(old: JsonObject): JsonObject {
  if (!isJsonObject(old['privacy'])) return old;
  const { tapeSound: _tapeSound, ...privacy } = old['privacy'];
  return { ...old, privacy };
}

/** What stands for a field that was kept and is missing or broken: whoever had settings has been here. */
export const storedSettingsFallback: Settings = { ...defaultSettings, firstRun: { done: true } };

/**
 * Reads what was stored: a field that is missing or broken is as it was at first, the rest stays. `lastGood` stands for
 * what is broken where it is known how that was before.
 */
export function readSettings(
  value: unknown,
  steps: Migrations = migrations,
  lastGood?: Settings,
): SettingsRead {
  const newest = steps.length + 1;
  const fallback = lastGood ?? storedSettingsFallback;
  if (!isJsonObject(value)) {
    const code = lastGood === undefined ? 'settingsUnread' : 'settingsUnreadRestored';
    return { settings: fallback, error: appError(code) };
  }
  const { version = 1, ...kept } = value;
  const from = typeof version === 'number' && version >= 1 ? Math.floor(version) : 1;
  const groups = steps.slice(from - 1).reduce((old, step) => step(old), kept);
  const problems = new RuleProblems();
  const read = allSettings.read(groups, fallback, '', problems.add);
  const settings = { ...read, endpoints: withChosen(read.endpoints) };
  // What a newer version knows besides is no damage.
  if (from > newest) return { settings, error: appError('settingsNewer'), newer: true };
  if (problems.list.length === 0) return { settings };
  const code = lastGood === undefined ? 'settingsPartly' : 'settingsPartlyRestored';
  const error = appError(code, { places: problems.places }, { detail: problems.shown });
  return { settings, error };
}

/** As `readSettings` reads it again. */
export function writeSettings(settings: Settings): string {
  return `${JSON.stringify({ version: migrations.length + 1, ...settings }, undefined, 2)}\n`;
}

/** Settings with some of them changed; when one of those is wrong, none is changed. */
export function changeSettings(settings: Settings, patch: unknown): Checked<Settings> {
  const problems = new RuleProblems();
  const read = allSettings.read(patch ?? null, settings, '', problems.add);
  if (problems.list.length > 0) {
    return { ok: false, error: problems.error };
  }
  if (!read.endpoints.list.some(({ id }) => id === read.endpoints.chosen)) {
    const kept = settings.endpoints.chosen === read.endpoints.chosen;
    if (!kept) return { ok: false, error: appError('serverGone') };
  }
  const endpoints = withTokensOf(settings.endpoints, withChosen(read.endpoints));
  return { ok: true, value: { ...read, endpoints } };
}

const maxShown = 5;

class RuleProblems {
  readonly list: string[] = [];
  readonly #places = new Set<string>();
  /** The others are seldom there, and come up when that is mended. */
  #first: AppError | undefined;

  readonly add: ReportProblem = (place, must, error) => {
    this.#places.add(shortened(place));
    this.#first ??= error ?? appError('settingNotAllowed', { place: shortened(place) });
    this.list.push(`${shortened(place)} ${must}`.trim());
  };

  get error(): AppError {
    const first = this.#first ?? appError('settingNotAllowed', { place: this.places });
    return { ...first, detail: this.shown };
  }

  /** Without the rules that they break, which are for the log. */
  get places(): string {
    const more = this.#places.size > maxShown ? ['…'] : [];
    return [...[...this.#places].slice(0, maxShown), ...more].join(', ');
  }

  get shown(): string {
    const more = this.list.length - maxShown;
    const tail = more > 0 ? [`and ${more} more`] : [];
    return [...this.list.slice(0, maxShown), ...tail].join('; ');
  }
}

/** A place may be a name that somebody made up. */
function shortened(place: string): string {
  return place.length > 80 ? `${place.slice(0, 80)}…` : place;
}

/** The settings of a file as it was found, or that there is none; what is damaged is as in the copy, where there is one. */
export function readStoredSettings(
  found: Outcome<string | undefined>,
  lastGood?: () => Outcome<string | undefined>,
): SettingsRead {
  if (found.ok && found.value === undefined) return { settings: defaultSettings };
  const value = found.ok ? parse(found.value ?? '') : undefined;
  const read = found.ok
    ? readSettings(value)
    : { settings: storedSettingsFallback, error: found.error };
  if (read.error === undefined || read.newer === true) return read;
  const before = settingsOf(lastGood?.());
  if (before === undefined) return read;
  const restored = readSettings(value, undefined, before);
  return found.ok ? restored : { ...restored, error: withCause(restored.error, found.error) };
}

function withCause(error: AppError | undefined, cause: AppError): AppError {
  return error === undefined ? cause : { ...error, cause };
}

/** Nothing where the copy is not there, or as damaged as what it is a copy of. */
function settingsOf(copy: Outcome<string | undefined> | undefined): Settings | undefined {
  if (copy?.ok !== true || copy.value === undefined) return undefined;
  const { settings, error } = readSettings(parse(copy.value));
  return error === undefined ? settings : undefined;
}

/** For a host whose page is there before its core. */
export function firstSettingsIn(file: Pick<StateFile, 'read'>): RedactedSettings {
  return redactSettings(readStoredSettings(file.read()).settings);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
