import type { TFunction } from 'i18next';
import { AudioLines, ChevronDown, type LucideIcon, Mic, Plus, Server } from 'lucide-react';
import { type ComponentProps, useEffect, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { soundChoiceName } from '../../shared/settings/audio-settings.ts';
import {
  contextTokens,
  type DuplexMode,
  effectiveSeconds,
  sessionSeconds,
} from '../../shared/protocol/realtime-api.ts';
import { type HistoryItem, historyKey } from '../../shared/recordings/history-item.ts';
import { embeddedId, type ServerTraits } from '../../shared/settings/connection-settings.ts';
import {
  documentedContext,
  type ContextFacts,
  secondsWithPictures,
  type PicturePlan,
} from '../../shared/vision/context-facts.ts';
import { useActions, useUiState } from '../app/app-context.ts';
import { Button } from '../design/controls.tsx';
import { Menu, MenuChoice, MenuItem } from '../design/layers.tsx';
import { entryTitle } from '../history/history-text.ts';
import { useHistoryChanges } from '../history/use-history-changes.ts';
import { serverName, formatDay, formatDuration, formatExpectedLength } from '../i18n/format.ts';
import { useTalkKeyName } from '../keys/window-keys.ts';
import { ExamplesMenu } from '../replay/examples-menu.tsx';
import {
  deviceChoices,
  isGenericName,
  parseSoundChoice,
  soundChoiceValue,
  systemDeviceName,
} from '../settings/audio/sound-device-choices.ts';
import { useFieldProblem } from '../settings/controls/setting.tsx';
import { MicrophoneLevelBar } from './microphone-level-bar.tsx';
import './idle-card.css';

export function IdleCard() {
  const { t } = useTranslation();
  const chosen = useUiState(({ settings }) => settings?.endpoints.chosen);
  const isDemonstration = chosen === embeddedId;
  const hasSettings = useUiState(({ settings }) => settings !== undefined);
  return (
    <div className="card">
      <h1>{t('talk.idle.title')}</h1>
      <p>{t(isDemonstration ? 'talk.idle.demonstration' : 'talk.idle.text')}</p>
      {hasSettings && (
        <div className="idle-choices">
          <ServerMenu />
          <MicrophoneMenu />
          <TalkingMenu />
          <IdleMicrophoneLevel />
        </div>
      )}
      <SessionLength key={chosen} />
      <RecentTalks />
      <div className="card-buttons card-more button-row">
        <ExamplesMenu />
      </div>
    </div>
  );
}

function ServerMenu() {
  const { t } = useTranslation();
  const { setup, openSettings } = useActions();
  const endpoints = useUiState(({ settings }) => settings?.endpoints);
  if (endpoints === undefined) return null;
  const { chosen, list } = endpoints;
  const choices = Object.fromEntries(list.map(({ id, name }) => [id, serverName(t, name)]));
  const setting = t('talk.server');
  return (
    <Menu
      trigger={<IdleChoiceButton icon={Server} setting={setting} chosen={choices[chosen] ?? ''} />}
    >
      <MenuChoice
        name={setting}
        value={chosen}
        choices={choices}
        onChoose={(id) => void setup.choose('endpoints.list', { endpoints: { chosen: id } })}
      />
      <MenuItem
        icon={Plus}
        onSelect={() => {
          openSettings('endpoints');
          setup.addServer();
        }}
      >
        {t('aroundTalk.idle.addServer')}
      </MenuItem>
    </Menu>
  );
}

/** The device list is read only when the menu opens, because enumerating devices is slow. */
function MicrophoneMenu() {
  const { t } = useTranslation();
  const { setup } = useActions();
  const chosen = useUiState(({ settings }) => settings?.audio.microphone ?? 'default');
  const devices = useUiState(({ settingsUi }) => settingsUi.devices) ?? [];
  const heard = useUiState(({ settingsUi }) => settingsUi.meter?.device);
  const { usableDevices, choices } = deviceChoices(t, 'microphone', devices);
  const value = soundChoiceValue(chosen);
  const missing = chosen === 'default' ? {} : { [value]: soundChoiceName(chosen, usableDevices) };
  const system = isGenericName(heard) ? systemDeviceName('microphone', devices) : heard;
  const name =
    chosen === 'default'
      ? (system ?? t('aroundTalk.idle.systemMicrophone'))
      : soundChoiceName(chosen, usableDevices);
  const setting = t('settings.rows.audio.microphone.name');
  return (
    <Menu
      onOpen={() => void setup.readDevices()}
      trigger={<IdleChoiceButton icon={Mic} setting={setting} chosen={name} />}
    >
      <MenuChoice
        name={setting}
        value={value}
        choices={{ ...missing, ...choices }}
        onChoose={(device) =>
          void setup.choose('audio.microphone', { audio: { microphone: parseSoundChoice(device) } })
        }
      />
    </Menu>
  );
}

/** Shown only for push-to-talk modes; an open microphone needs no explanation. */
function TalkingMenu() {
  const { t } = useTranslation();
  const { setup } = useActions();
  const mode = useUiState(({ settings }) => settings?.talking.mode ?? 'open');
  const key = useTalkKeyName();
  if (mode === 'open') return null;
  const choices = {
    open: t('talk.talkings.open'),
    hold: t('talk.talkings.hold', { key }),
    tap: t('talk.talkings.tap', { key }),
    holdOrTap: t('talk.talkings.holdOrTap', { key }),
  };
  const setting = t('settings.rows.talking.mode.name');
  return (
    <Menu trigger={<IdleChoiceButton icon={AudioLines} setting={setting} chosen={choices[mode]} />}>
      <MenuChoice
        name={setting}
        value={mode}
        choices={choices}
        onChoose={(chosen) => void setup.choose('talking.mode', { talking: { mode: chosen } })}
      />
    </Menu>
  );
}

interface Props extends Omit<ComponentProps<'button'>, 'className' | 'children'> {
  readonly icon: LucideIcon;
  /** The setting's name, for screen readers. */
  readonly setting: string;
  readonly chosen: string;
}

function IdleChoiceButton({ icon: Icon, setting, chosen, ...rest }: Props) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      className="idle-choice"
      aria-label={t('shell.under', { what: setting, which: chosen })}
      {...rest}
    >
      <Icon strokeWidth={1.75} aria-hidden />
      <span className="one-line" dir="auto">
        {chosen}
      </span>
      <ChevronDown strokeWidth={1.75} aria-hidden />
    </button>
  );
}

const showLevelKey = 'parley.idle-level';

/** The microphone opens only if the user turned the level on, and only while the window has the focus. */
function IdleMicrophoneLevel() {
  const { t } = useTranslation();
  const { setup } = useActions();
  const [isShown, setShown] = useState(() => localStorage.getItem(showLevelKey) !== null);
  const hasFocus = useSyncExternalStore(subscribeToFocus, () => document.hasFocus());
  const metering = useUiState(({ settingsUi }) => settingsUi.meter !== undefined);
  const problem = useFieldProblem('meter');
  const isOpen = isShown && hasFocus;
  useEffect(() => {
    if (!isOpen) return undefined;
    void setup.setMeter(true);
    return () => void setup.setMeter(false);
  }, [setup, isOpen]);
  const showLevel = (next: boolean): void => {
    if (next) localStorage.setItem(showLevelKey, 'yes');
    else localStorage.removeItem(showLevelKey);
    setShown(next);
  };
  return (
    <div className="idle-level">
      {isOpen && metering && <MicrophoneLevelBar label={t('settings.sound.level')} />}
      <Button onClick={() => showLevel(!isShown)}>
        {t(isShown ? 'aroundTalk.idle.hideLevel' : 'aroundTalk.idle.showLevel')}
      </Button>
      {isOpen && problem !== undefined && (
        <p className="idle-problem" role="alert" dir="auto">
          {problem}
        </p>
      )}
    </div>
  );
}

function subscribeToFocus(listener: () => void): () => void {
  const listening = new AbortController();
  window.addEventListener('focus', listener, listening);
  window.addEventListener('blur', listener, listening);
  return () => listening.abort();
}

function SessionLength() {
  const { t, i18n } = useTranslation();
  const settings = useUiState(({ settings }) => settings);
  const memory = useUiState(({ settingsUi }) => settingsUi.serverContext);
  const { setup } = useActions();
  useEffect(() => void setup.readServerContext(), [setup]);
  if (settings === undefined) return null;
  const { chosen, list } = settings.endpoints;
  const { traits } = list.find(({ id }) => id === chosen) ?? {};
  const { chunkMs } = settings.assistant.generation;
  const seconds = {
    audio: expectedSeconds(traits),
    video: expectedSecondsWithPictures({ ...settings.vision, chunkMs }, memory, traits),
  };
  const length = (mode: DuplexMode): string => formatExpectedLength(seconds[mode], i18n.language);
  const ending = settings.talking.longTalks === 'handOver' ? 'goesOn' : 'ends';
  return (
    <p className="card-length">
      {t(`talk.idle.${ending}`, { audio: length('audio'), video: length('video') })}
    </p>
  );
}

/** How long a talk without pictures can last: until its context is full, or until the time limit if that comes first. */
export function expectedSeconds(traits: ServerTraits = {}): number {
  const contextSeconds =
    (effectiveSeconds.audio * (traits.contextLimit ?? contextTokens)) / contextTokens;
  return Math.round(Math.min(contextSeconds, traits.timeLimit ?? sessionSeconds.audio));
}

/** How long a talk with pictures can last. Pictures fill the context faster, depending on how many the settings send. */
export function expectedSecondsWithPictures(
  plan: PicturePlan,
  memory: ContextFacts = documentedContext,
  { contextLimit, timeLimit }: ServerTraits = {},
): number {
  const facts = {
    ...memory,
    contextTokens: contextLimit ?? memory.contextTokens,
    sessionSeconds: timeLimit ?? memory.sessionSeconds,
  };
  return Math.round(secondsWithPictures(facts, plan));
}

function RecentTalks() {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  const { history } = useActions();
  const all = useUiState(({ history }) => history.recent);
  const removed = useUiState(({ removed }) => removed?.keys);
  useHistoryChanges(history.readRecent);
  useEffect(() => {
    if (all !== undefined) storeRecentCount(all.length);
  }, [all]);
  if (all === undefined) return <RecentTalksPlaceholder />;
  const recent = all.filter((item) => removed?.has(historyKey(item)) !== true);
  if (recent.length === 0) return null;
  return (
    <nav className="idle-recent" aria-label={t('aroundTalk.idle.recent')}>
      <ul>
        {recent.map((item) => (
          <li key={item.id}>
            <button type="button" onClick={() => history.show(item.id)}>
              <span className="one-line" dir="auto">
                {entryTitle(item, t)}
              </span>
              <span className="idle-recent-when hint">{whenText(item, language, t)}</span>
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Reserves the list's height; its lines are blank, because dummy text would look like unnamed talks. */
function RecentTalksPlaceholder() {
  const lines = Array.from({ length: storedRecentCount() }, (_, line) => line);
  if (lines.length === 0) return null;
  return (
    <div className="idle-recent" data-coming="true" aria-hidden>
      <ul>
        {lines.map((line) => (
          <li key={line}>
            <button type="button" disabled>
              <span className="one-line">{'\u00a0'}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function whenText(item: HistoryItem, language: string, t: TFunction): string {
  const day = formatDay(item.at, Date.now(), language, t);
  return item.kind === 'talk' ? `${day} · ${formatDuration(item.seconds, language)}` : day;
}

const recentTalksKey = 'parley.recent-talks';

/** How many talks the idle screen listed last time. Only the count is stored, no content. */
function storedRecentCount(): number {
  const stored = Number(localStorage.getItem(recentTalksKey));
  return Number.isInteger(stored) && stored > 0 ? Math.min(stored, maxRecentTalks) : 0;
}

function storeRecentCount(count: number): void {
  if (count === storedRecentCount()) return;
  localStorage.setItem(recentTalksKey, String(count));
}

const maxRecentTalks = 3;
