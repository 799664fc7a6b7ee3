import { PictureInPicture2, Search, SunMoon } from 'lucide-react';
import { Tooltip } from 'radix-ui';
import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton, passFocusToScreen, PlainIconButton } from '../design/controls.tsx';
import { Menu, MenuChoice } from '../design/layers.tsx';
import { languageChoices } from '../i18n/page-language.ts';
import { useWindowKeyLabel } from '../keys/window-keys.ts';
import { ShortcutsSheet } from '../keys/shortcuts-sheet.tsx';
import { useShellKeys } from '../keys/use-shell-keys.ts';
import { MiniWindow } from '../mini/mini-window.tsx';
import { TapeDrop } from '../replay/tape-drop.tsx';
import { useInterruptKey } from '../talk/talk-keys.ts';
import { TalkPill, TalkScreen } from '../talk/talk-screen.tsx';
import { useActions, useAppContext, useUiState } from './app-context.ts';
import { LazyScreen, ErrorBoundary } from './error-boundary.tsx';
import { selectFirstSteps } from './initial-page-state.ts';
import { selectAppearance, selectCaptions } from './page-style.ts';
import { CommandPalette } from './palette/command-palette.tsx';
import {
  DueReminders,
  RecoveryNotice,
  SuggestionNotice,
  Toast,
  UndoBar,
  UpdateNotice,
} from './shell-notices.tsx';
import { StartLinkSheet } from './start-link-sheet.tsx';
import { type ScreenName, screenNames } from './ui-state.ts';
import { useAppearance, useLowHeight, useNarrowerThan } from './use-appearance.ts';
import './shell.css';

/** In rem. Below this width History shows the list or a talk, not both. Same width as in history-screen.css. */
const minSplitWidth = 52;

const Inspector = lazy(async () => ({
  default: (await import('../inspector/inspector.tsx')).Inspector,
}));
const ReplayedTalk = lazy(async () => ({
  default: (await import('../replay/replayed-talk.tsx')).ReplayedTalk,
}));

/** Sheets that are loaded on first use. Each key is the field of the UI state that opens the sheet. */
const lazySheets = {
  comparing: lazy(async () => ({
    default: (await import('../compare/compare-sheet.tsx')).CompareSheet,
  })),
  guide: lazy(async () => ({ default: (await import('../guide/guide-sheet.tsx')).GuideSheet })),
  reporting: lazy(async () => ({
    default: (await import('../report/report-sheet.tsx')).ReportSheet,
  })),
  exporting: lazy(async () => ({
    default: (await import('../export/export-sheet.tsx')).ExportSheet,
  })),
};

function LazySheet({ of }: { readonly of: keyof typeof lazySheets }) {
  const isOpen = useUiState((view) => view[of] !== undefined);
  const Sheet = lazySheets[of];
  return (
    isOpen && (
      <Suspense fallback={null}>
        <Sheet />
      </Suspense>
    )
  );
}

const loadSettings = async () => {
  const [{ SettingsScreen }] = await Promise.all([
    import('../settings/settings-screen.tsx'),
    // Loaded only for Settings, because the search index contains the texts of every language.
    import('../settings/find-settings.ts').then(({ loadSettingsIndex }) => loadSettingsIndex()),
  ]);
  return SettingsScreen;
};

const screenLoaders = {
  chat: () => import('../chat/chat-screen.tsx').then(({ ChatScreen }) => ChatScreen),
  history: () => import('../history/history-screen.tsx').then(({ HistoryScreen }) => HistoryScreen),
  settings: loadSettings,
  replay: () => import('../replay/replay-screen.tsx').then(({ ReplayScreen }) => ReplayScreen),
} satisfies Readonly<Record<Exclude<ScreenName, 'talk'>, () => Promise<ComponentType>>>;

/** In a narrow window the inspector is below the screen, and a newly chosen screen must not stay hidden above it. */
function showFromTop(screen: HTMLDivElement | null) {
  screen?.parentElement?.scrollTo({ top: 0 });
  return passFocusToScreen(screen);
}

function Shell() {
  const { t } = useTranslation();
  const { setPalette } = useActions();
  const screen = useUiState(({ screen }) => screen);
  const isLost = useUiState(({ connection }) => connection === 'lost');
  const isInspecting = useUiState(({ inspectorOpen }) => inspectorOpen);
  useAppearance();
  useLowHeight();
  useShellKeys();
  useInterruptKey();
  const paletteKey = useWindowKeyLabel('palette');
  useCloseCameraWithWindow();
  useBlockFileDrops();
  return (
    <Tooltip.Provider delayDuration={400}>
      <div className="shell">
        <header className="shell-head">
          <ScreenNav />
          <div className="shell-tools">
            <IconButton
              icon={Search}
              label={t('settings.rows.keys.palette.name')}
              hint={paletteKey}
              onClick={() => setPalette(true)}
            />
            <MiniButton />
            <AppearanceMenu />
          </div>
        </header>
        {isLost && (
          <p className="shell-lost" role="alert">
            {t('shell.connectionLost')}
          </p>
        )}
        <RecoveryNotice />
        <UpdateNotice />
        <DueReminders />
        <SuggestionNotice />
        <TalkPill />
        <div className="shell-body">
          {/* The key separates the states of two lazy screens. */}
          <div key={screen} ref={showFromTop} className="shell-screen">
            <ErrorBoundary>
              {screen === 'talk' ? <TalkOrFirstRun /> : <LazyScreen load={screenLoaders[screen]} />}
            </ErrorBoundary>
          </div>
          {isInspecting && (
            <ErrorBoundary>
              <Suspense fallback={null}>
                {screen === 'replay' ? (
                  <ReplayedTalk>
                    <Inspector />
                  </ReplayedTalk>
                ) : (
                  <Inspector />
                )}
              </Suspense>
            </ErrorBoundary>
          )}
        </div>
        <CommandPalette />
        <ShortcutsSheet />
        <StartLinkSheet />
        <UndoBar />
        <Toast />
        <TapeDrop />
        <LazySheet of="comparing" />
        <LazySheet of="guide" />
        <LazySheet of="reporting" />
        <LazySheet of="exporting" />
      </div>
    </Tooltip.Provider>
  );
}

/** Loaded separately, because most starts do not need it. */
export const loadFirstRun = () =>
  import('./first-run/first-run.tsx').then(({ FirstRun }) => FirstRun);

/** Shows the first-run steps on the first start, until a talk begins. */
function TalkOrFirstRun() {
  const steps = useUiState(selectFirstSteps);
  const isIdle = useUiState(({ talkState }) => talkState.value.phase === 'idle');
  if (steps === 'done' || !isIdle) return <TalkScreen />;
  if (steps === 'due') return <LazyScreen load={loadFirstRun} />;
  return <main aria-busy="true" />;
}

function ScreenNav() {
  const { t } = useTranslation();
  const { go, history, replay } = useActions();
  const isNarrow = useNarrowerThan(minSplitWidth);
  const screen = useUiState(({ screen }) => screen);
  const hasReplay = useUiState(({ replay }) => replay.kind !== 'none');
  const isConnected = useUiState(({ connection }) => connection === 'connected');
  useEffect(() => {
    if (isConnected) void replay.readReplay();
  }, [replay, isConnected]);
  const hasUnread = useUnreadAnswer();
  const names: readonly ScreenName[] = hasReplay ? [...screenNames, 'replay'] : screenNames;
  return (
    <nav aria-label={t('places.name')}>
      <ul className="screen-list">
        {names.map((name) => (
          <li key={name}>
            <button
              type="button"
              aria-current={screen === name ? 'page' : undefined}
              onClick={() => {
                // In a narrow window a talk replaces the list; the button returns to the list.
                if (name === 'history' && isNarrow) history.close();
                go(name);
              }}
            >
              {t(`places.${name}`)}
              {name === 'chat' && hasUnread && (
                <span className="screen-unread">
                  <span className="visually-hidden">{t('aroundTalk.unread')}</span>
                </span>
              )}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The main window or the mini window. */
export function ParleyPage() {
  const window = useUiState(({ window }) => window);
  return window === 'mini' ? <MiniWindow /> : <Shell />;
}

/** Whether an answer was finished in Chat while a different screen was shown. */
function useUnreadAnswer(): boolean {
  const { listen, store } = useAppContext();
  const isChatShown = useUiState(({ screen }) => screen === 'chat');
  const [unread, setUnread] = useState(false);
  if (isChatShown && unread) setUnread(false);
  useEffect(
    () =>
      listen(({ name, payload }) => {
        if (name !== 'chatPatch' || payload.kind !== 'answer') return;
        const { kind } = payload.state;
        if (store.getState().screen !== 'chat' && (kind === 'done' || kind === 'failed'))
          setUnread(true);
      }),
    [listen, store],
  );
  return unread;
}

/** Blocks stray drops: the browser would navigate to the file and close Parley. */
function useBlockFileDrops(): void {
  useEffect(() => {
    const listening = new AbortController();
    const preventNavigation = (event: DragEvent): void => {
      if (event.dataTransfer?.types.includes('Files') === true) event.preventDefault();
    };
    window.addEventListener('dragover', preventNavigation, listening);
    window.addEventListener('drop', preventNavigation, listening);
    return () => listening.abort();
  }, []);
}

/**
 * When the main window closes, ends the camera, and any capture that is still opening or has lost its picture. An open screen
 * share stays, for work in other windows.
 */
function useCloseCameraWithWindow(): void {
  const { setCapture } = useActions();
  const isClosed = useUiState(({ windows }) => windows?.main === false);
  const capture = useUiState(({ capture }) => capture);
  const isCapturing =
    capture.state === 'opening' ||
    capture.state === 'lost' ||
    (capture.state === 'open' && isCamera(capture.stream));
  useEffect(() => {
    if (isClosed && isCapturing) void setCapture(false);
  }, [isClosed, isCapturing, setCapture]);
}

/** Only screen tracks have a `displaySurface`. */
function isCamera(stream: MediaStream): boolean {
  return stream.getVideoTracks().every((track) => !('displaySurface' in track.getSettings()));
}

/** Quick choices of theme, language and captions; the settings have the rest. */
function AppearanceMenu() {
  const { t } = useTranslation();
  const { changeSettings } = useActions();
  const { theme, language } = useUiState(selectAppearance);
  const { size, contrast } = useUiState(selectCaptions);
  return (
    <Menu trigger={<PlainIconButton icon={SunMoon} label={t('settings.sections.appearance')} />}>
      <MenuChoice
        name={t('settings.rows.appearance.theme.name')}
        value={theme}
        choices={t('settings.choices.appearance.theme', { returnObjects: true })}
        onChoose={(theme) => void changeSettings({ appearance: { theme } })}
      />
      <MenuChoice
        name={t('settings.rows.appearance.language.name')}
        value={language}
        choices={languageChoices(t)}
        onChoose={(language) => void changeSettings({ appearance: { language } })}
      />
      <MenuChoice
        name={t('settings.rows.captions.size.name')}
        value={String(size)}
        choices={t('shell.captionSizes', { returnObjects: true })}
        onChoose={(size) => void changeSettings({ captions: { size: Number(size) } })}
      />
      <MenuChoice
        name={t('settings.rows.captions.contrast.name')}
        value={contrast}
        choices={t('settings.choices.captions.contrast', { returnObjects: true })}
        onChoose={(contrast) => void changeSettings({ captions: { contrast } })}
      />
    </Menu>
  );
}

/** Shown only if the host has windows. */
function MiniButton() {
  const { t } = useTranslation();
  const { readWindows, showMini } = useActions();
  const windows = useUiState(({ windows }) => windows);
  useEffect(() => void readWindows(), [readWindows]);
  if (windows === undefined) return null;
  return (
    <span className="mini-open">
      <IconButton
        icon={PictureInPicture2}
        label={t('mini.title')}
        onClick={() => void showMini()}
      />
    </span>
  );
}
