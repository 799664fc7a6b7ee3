import type { TFunction } from 'i18next';
import { useEffect, useState } from 'react';
import { type AppError, errorMessage, type ErrorTable } from '../../shared/errors/app-error.ts';
import {
  type ChatPlace,
  type LocalModelState,
  maxVoiceStepMs,
  type ModelPace,
  type ModelServerState,
} from '../../shared/model/local-model-state.ts';
import {
  computerProfile,
  embeddedProfile,
  builtInServer,
} from '../../shared/settings/connection-settings.ts';

const dateFormats = new Map<string, Intl.DateTimeFormat>();

/**
 * A format of dates in local time, created once, because that takes up to several milliseconds. The key has the offset
 * from UTC: a format keeps the time zone in which it was created, and the user may travel.
 */
export function dateFormat(
  language: string,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const key = JSON.stringify([language, new Date().getTimezoneOffset(), options]);
  const known = dateFormats.get(key);
  if (known !== undefined) return known;
  const created = new Intl.DateTimeFormat(language, options);
  dateFormats.set(key, created);
  return created;
}

/** Today, yesterday, or weekday and date; with the year if it is not the current one. */
export function formatDay(at: number, now: number, language: string, t: TFunction): string {
  const [day, today] = [new Date(at), new Date(now)];
  const yesterday = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1);
  if (day.toDateString() === today.toDateString()) return t('history.today');
  if (day.toDateString() === yesterday.toDateString()) return t('history.yesterday');
  const year = day.getFullYear() === today.getFullYear() ? {} : ({ year: 'numeric' } as const);
  return dateFormat(language, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...year,
  }).format(day);
}

export function formatTime(at: number, language: string): string {
  return dateFormat(language, { timeStyle: 'short' }).format(new Date(at));
}

export function formatDateTime(at: number, language: string): string {
  return dateFormat(language, { dateStyle: 'full', timeStyle: 'short' }).format(new Date(at));
}

/** The time, with its date only if `earlier`, which the user sees beside it, has a different date. */
export function formatLaterTime(at: number, earlier: number, language: string): string {
  return startsNewDay(at, earlier) ? formatDateTime(at, language) : formatTime(at, language);
}

/** Whether an entry is on a different day than the entry before it. */
export function startsNewDay(at: number, before: number | undefined): boolean {
  return before === undefined || new Date(at).toDateString() !== new Date(before).toDateString();
}

/** Seconds below a minute, minutes below an hour, else hours and minutes. */
export function formatDuration(seconds: number, language: string): string {
  const unit = (value: number, unit: 'second' | 'minute' | 'hour'): string =>
    formatUnit(value, unit, language, 0);
  const whole = Math.round(seconds);
  if (whole < 60) return unit(whole, 'second');
  const minutes = Math.round(whole / 60);
  if (minutes < 60) return unit(minutes, 'minute');
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return rest === 0 ? unit(hours, 'hour') : `${unit(hours, 'hour')} ${unit(rest, 'minute')}`;
}

/** In words: seconds below two minutes, else whole minutes. */
export function formatExpectedLength(seconds: number, language: string): string {
  return seconds < 120
    ? formatUnit(seconds, 'second', language, 0, 'long')
    : formatUnit(Math.round(seconds / 60), 'minute', language, 0, 'long');
}

/** Whole seconds left of `seconds` that began at `at`; renders once a second. */
export function useCountdown(
  seconds: number | undefined,
  at: number,
  now: () => number,
): number | undefined {
  const [, tick] = useState(0);
  const remaining = seconds === undefined ? undefined : secondsLeft(seconds, at, now());
  useEffect(() => {
    if (remaining === undefined || remaining <= 0) return undefined;
    const timer = setTimeout(() => tick((count) => count + 1), 1000);
    return () => clearTimeout(timer);
  });
  return remaining;
}

export function secondsLeft(seconds: number, at: number, now: number): number {
  return Math.max(0, Math.ceil(seconds - (now - at) / 1000));
}

/** `4:05` or `1:00:00`. */
export function formatClock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const rest = `${whole % 60}`.padStart(2, '0');
  return hours > 0 ? `${hours}:${`${minutes}`.padStart(2, '0')}:${rest}` : `${minutes}:${rest}`;
}

/** Milliseconds below a second, else seconds with one decimal. */
export function formatMilliseconds(ms: number, language: string): string {
  const [value, unit] =
    ms < 1000 ? [Math.round(ms), 'millisecond' as const] : [ms / 1000, 'second' as const];
  return formatUnit(value, unit, language, unit === 'second' ? 1 : 0);
}

type Unit = 'millisecond' | 'second' | 'minute' | 'hour';

/** Intl writes Chinese units without the space that Parley's own texts have. */
function formatUnit(
  value: number,
  unit: Unit,
  language: string,
  digits: number,
  unitDisplay: 'short' | 'long' = 'short',
): string {
  const text = new Intl.NumberFormat(language, {
    style: 'unit',
    unit,
    unitDisplay,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(value);
  return text.replace(/(\d)(?=\p{Script=Han})/u, '$1 ');
}

/** The recording time of a tape, or undefined if it has none. */
export function formatRecordedAt(recordedAt: string, language: string): string | undefined {
  const at = Date.parse(recordedAt);
  if (Number.isNaN(at)) return undefined;
  return dateFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(at);
}

const units = ['B', 'KB', 'MB', 'GB'] as const;

export function formatBytes(bytes: number): string {
  let [size, unit] = [bytes, 0];
  while (size >= 1000 && unit < units.length - 1) [size, unit] = [size / 1000, unit + 1];
  const digits = size < 10 && unit > 0 ? 1 : 0;
  return `${size.toFixed(digits)} ${units[unit] ?? ''}`;
}

/** Joins two sentences: English puts a space between them, Chinese does not. */
export function joinSentences(t: TFunction, first: string, second: string | undefined): string {
  return second === undefined ? first : t('shell.sentences', { first, second });
}

export function errorText(t: TFunction, error: AppError): string {
  return errorMessage(error, errorTable(t));
}

const tables = new WeakMap<TFunction, ErrorTable>();

function errorTable(t: TFunction): ErrorTable {
  const known = tables.get(t);
  if (known !== undefined) return known;
  // The placeholders stay. `errorMessage` fills in the facts, the same way in every host.
  const table: ErrorTable = t('errors', { returnObjects: true, skipInterpolation: true });
  tables.set(t, table);
  return table;
}

const firstSentence = /^.*?[.!?。！？](?=\s|$|\P{ASCII})/su;

/** The first sentence of an error, which says what happened. The later ones have advice, which is useless for the past. */
export function pastErrorText(t: TFunction, error: AppError): string {
  const { codes, ...texts } = errorTable(t);
  const text = firstSentence.exec(codes[error.code])?.[0] ?? codes[error.code];
  return errorMessage(error, { ...texts, codes: { ...codes, [error.code]: text } });
}

/** The name of a server; built-in ones have translated names. */
export function serverName(t: TFunction, name: string): string {
  if (name === computerProfile.name) return t('model.name');
  return name === embeddedProfile.name ? t('settings.servers.demonstration') : name;
}

/** The name of a microphone; some systems call theirs just "default". */
export function microphoneName(t: TFunction, name: string): string {
  return name === 'default' ? t('aroundTalk.idle.systemMicrophone') : name;
}

/** The name to show for a tape's server: its address, because tapes store no names, or the name of a built-in server. */
export function tapeServerName(t: TFunction, server: string): string {
  return serverName(t, builtInServer(server)?.name ?? server);
}

/** Says that the model is loading, and how many seconds are left if that is known. */
export function modelLoadingText(
  t: TFunction,
  { secondsLeft, switchesTo }: Extract<ModelServerState, { kind: 'loading' }>,
): string {
  const seconds = secondsLeft === undefined ? undefined : Math.ceil(secondsLeft);
  if (switchesTo === undefined)
    return seconds === undefined ? t('model.loading') : t('model.loadingLeft', { seconds });
  return seconds === undefined
    ? t(`model.switching.${switchesTo}`)
    : t(`model.switchingLeft.${switchesTo}`, { seconds });
}

/** The measured pace, its verdict and the limit for talks. */
export function modelPaceText(t: TFunction, { medianMs, p90Ms, verdict }: ModelPace): string {
  const facts = { median: medianMs, p90: p90Ms, limit: maxVoiceStepMs };
  return joinSentences(t, t('model.steps.stats', facts), t(`model.paces.${verdict}`));
}

/** Says what a talk or a chat with the model on this computer waits for; undefined if it does not wait. */
export function modelWaitText(
  t: TFunction,
  waiting: 'talk' | 'chat',
  model: LocalModelState | undefined,
): string | undefined {
  if (waiting === 'chat' && model?.chat?.kind === 'own') {
    const { server } = model.chat;
    return server.kind === 'loading' ? modelLoadingText(t, server) : undefined;
  }
  if (model?.server.kind === 'loading') return modelLoadingText(t, model.server);
  if (model?.user === undefined || model.user === waiting) return undefined;
  return t(waiting === 'chat' ? 'model.notWhileTalking' : 'model.chatFirst');
}

/** Says that a second copy of the model answers chats, or why it cannot; undefined while it loads or if none is wanted. */
export function chatPlaceText(t: TFunction, chat: ChatPlace | undefined): string | undefined {
  if (chat?.kind === 'turns')
    return joinSentences(t, t('model.chatTurns'), errorText(t, chat.error));
  return chat?.server.kind === 'ready' ? t('model.chatCopy') : undefined;
}
