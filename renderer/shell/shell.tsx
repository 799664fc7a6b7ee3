import { Search } from 'lucide-react';
import { Tooltip } from 'radix-ui';
import { lazy, Suspense, useEffect } from 'react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../design/icon-button.tsx';
import { firstStepsNow } from '../store/first-state.ts';
import { screenNames } from '../store/ui-state.ts';
import type { ScreenName } from '../store/ui-state.ts';
import { useActions, useUiState } from '../store/use-app-context.ts';
import { TapeDrop } from '../replay/drop/tape-drop.tsx';
import { TalkPill } from '../talk/pill/talk-pill.tsx';
import { useInterruptKey } from '../talk/pill/use-interrupt-key.ts';
import { TalkScreen } from '../talk/talk-screen.tsx';
import { AppearanceMenu } from './appearance/appearance-menu.tsx';
import { CommandPalette } from './palette/command-palette.tsx';
import { MiniButton } from './mini-button.tsx';
import { useCloseCameraWithWindow } from './use-close-camera-with-window.ts';
import { LazyScreen, loadFirstRun } from './lazy-screen.tsx';
import { PlaceBoundary } from './recovery/place-boundary.tsx';
import { RecoveryNotice } from './recovery/recovery-notice.tsx';
import { useWindowKeySign } from '../keys/use-window-key-sign.ts';
import './shell.css';
import { useAppearance } from './appearance/use-appearance.ts';
import { useLowHeight } from './use-low-height.ts';
import { useBlockFileDrops } from './use-block-file-drops.ts';
import { ShortcutsSheet } from './shortcuts-sheet.tsx';
import { StartLinkSheet } from './start-link-sheet.tsx';
import { ToldLine } from './told-line.tsx';
import { UpdateNotice } from './update-notice.tsx';
import { UndoBar } from './undo-bar.tsx';
import { useUnreadAnswer } from './use-unread-answer.ts';
import { useNarrowerThan } from './use-narrower-than.ts';
import { useShellKeys } from './use-shell-keys.ts';

/** In rem, as in the style of History: below this a talk has no room beside the list. */
const besideWidth = 52;

const Inspector = lazy(async () => {
  const { Inspector } = await import('../inspector/inspector.tsx');
  return { default: Inspector };
});
const ReplayInspector = lazy(async () => {
  const { ReplayInspector } = await import('../replay/replay-inspector.tsx');
  return { default: ReplayInspector };
});

const CompareSheet = lazy(async () => {
  const { CompareSheet } = await import('../compare/compare-sheet.tsx');
  return { default: CompareSheet };
});

const ExportSheet = lazy(async () => {
  const { ExportSheet } = await import('../export/export-sheet.tsx');
  return { default: ExportSheet };
});

const GuideSheet = lazy(async () => {
  const { GuideSheet } = await import('../guide/guide-sheet.tsx');
  return { default: GuideSheet };
});

const ReportSheet = lazy(async () => {
  const { ReportSheet } = await import('../report/report-sheet.tsx');
  return { default: ReportSheet };
});

const loadChat = () => import('../chat/chat-screen.tsx').then(({ ChatScreen }) => ChatScreen);
const loadHistory = () =>
  import('../history/history-screen.tsx').then(({ HistoryScreen }) => HistoryScreen);
const loadSettings = async () => {
  const [{ SettingsScreen }] = await Promise.all([
    import('../settings/settings-screen.tsx'),
    // They are found by the words of every language, which no other screen needs.
    import('../settings/find-settings.ts').then(({ loadSettingsIndex }) => loadSettingsIndex()),
  ]);
  return SettingsScreen;
};

const loadReplay = () =>
  import('../replay/replay-screen.tsx').then(({ ReplayScreen }) => ReplayScreen);

/** What each screen shows. */
const screens: Readonly<Record<ScreenName, () => ReactNode>> = {
  talk: () => <TalkOrFirstRun />,
  chat: () => <LazyScreen load={loadChat} />,
  history: () => <LazyScreen load={loadHistory} />,
  settings: () => <LazyScreen load={loadSettings} />,
  replay: () => <LazyScreen load={loadReplay} />,
};

/** The frame around every screen. */
export function Shell() {
  const { t } = useTranslation();
  const { setPalette } = useActions();
  const screen = useUiState(({ screen }) => screen);
  const lost = useUiState(({ connection }) => connection === 'lost');
  const exports = useUiState(({ exporting }) => exporting !== undefined);
  const compares = useUiState(({ comparing }) => comparing !== undefined);
  const guides = useUiState(({ guide }) => guide !== undefined);
  const reports = useUiState(({ reporting }) => reporting !== undefined);
  const inspecting = useUiState(({ inspectorOpen }) => inspectorOpen);
  useAppearance();
  useLowHeight();
  useShellKeys();
  useInterruptKey();
  const paletteKey = useWindowKeySign('palette');
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
              label={t('shell.commands')}
              hint={paletteKey}
              onClick={() => {
                setPalette(true);
              }}
            />
            <MiniButton />
            <AppearanceMenu />
          </div>
        </header>
        {lost && (
          <p className="shell-lost" role="alert">
            {t('shell.connectionLost')}
          </p>
        )}
        <RecoveryNotice />
        <UpdateNotice />
        <TalkPill />
        <div className="shell-body">
          <div className="shell-place">
            {/* A key of its own: two screens that are loaded late are not one. */}
            <PlaceBoundary key={screen}>{screens[screen]()}</PlaceBoundary>
          </div>
          {inspecting && (
            <PlaceBoundary>
              <Suspense fallback={null}>
                {screen === 'replay' ? <ReplayInspector /> : <Inspector />}
              </Suspense>
            </PlaceBoundary>
          )}
        </div>
        <CommandPalette />
        <ShortcutsSheet />
        <StartLinkSheet />
        <UndoBar />
        <ToldLine />
        <TapeDrop />
        {compares && (
          <Suspense fallback={null}>
            <CompareSheet />
          </Suspense>
        )}
        {guides && (
          <Suspense fallback={null}>
            <GuideSheet />
          </Suspense>
        )}
        {reports && (
          <Suspense fallback={null}>
            <ReportSheet />
          </Suspense>
        )}
        {exports && (
          <Suspense fallback={null}>
            <ExportSheet />
          </Suspense>
        )}
      </div>
    </Tooltip.Provider>
  );
}

/** Whoever comes for the first time is met by the first steps, unless a talk goes on already. */
function TalkOrFirstRun() {
  const steps = useUiState(firstStepsNow);
  const idle = useUiState(({ talkState }) => talkState.value.phase === 'idle');
  if (steps === 'done' || !idle) return <TalkScreen />;
  if (steps === 'due') return <LazyScreen load={loadFirstRun} />;
  return <main aria-busy="true" />;
}

function ScreenNav() {
  const { t } = useTranslation();
  const { go, history, replay } = useActions();
  const narrow = useNarrowerThan(besideWidth);
  const screen = useUiState(({ screen }) => screen);
  const replays = useUiState(({ replay }) => replay.kind !== 'none');
  const connected = useUiState(({ connection }) => connection === 'connected');
  useEffect(() => {
    if (connected) void replay.readReplay();
  }, [replay, connected]);
  const unread = useUnreadAnswer();
  const names: readonly ScreenName[] = replays ? [...screenNames, 'replay'] : screenNames;
  return (
    <nav aria-label={t('places.name')}>
      <ul className="places">
        {names.map((name) => (
          <li key={name}>
            <button
              type="button"
              aria-current={screen === name ? 'page' : undefined}
              onClick={() => {
                // Where a talk stands in the place of the list, the place itself is the list.
                if (name === 'history' && narrow) history.close();
                go(name);
              }}
            >
              {t(`places.${name}`)}
              {name === 'chat' && unread && (
                <span className="places-unread">
                  <span className="only-heard">{t('aroundTalk.unread')}</span>
                </span>
              )}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}
