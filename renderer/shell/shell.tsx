import { Command } from 'lucide-react';
import { Tooltip } from 'radix-ui';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../design/icon-button.tsx';
import { firstStepsNow } from '../store/first-steps.ts';
import { useActions, useView } from '../store/use-desk.ts';
import { TalkScreen } from '../talk/talk-screen.tsx';
import { AppearanceMenu } from './appearance-menu.tsx';
import { CommandPalette } from './command-palette.tsx';
import { MiniButton } from './mini-button.tsx';
import { useCameraLeaves } from './use-camera-leaves.ts';
import { LateScreen } from './late-screen.tsx';
import { loadFirstRun } from './load-first-run.ts';
import { paletteKeys } from './palette-keys.ts';
import './shell.css';
import { useAppearance } from './use-appearance.ts';
import { useLowPage } from './use-low-page.ts';
import { useNoStrayDrops } from './use-no-stray-drops.ts';
import { ShortcutsSheet } from './shortcuts-sheet.tsx';
import { useShellKeys } from './use-shell-keys.ts';

const Inspector = lazy(async () => {
  const { Inspector } = await import('../inspector/inspector.tsx');
  return { default: Inspector };
});

const places = ['talk', 'chat', 'settings'] as const;
const loadChat = () => import('../chat/chat-screen.tsx').then(({ ChatScreen }) => ChatScreen);
const loadSettings = () =>
  import('../settings/settings-screen.tsx').then(({ SettingsScreen }) => SettingsScreen);

/** The frame around every screen. */
export function Shell() {
  const { t } = useTranslation();
  const { setPalette } = useActions();
  const place = useView(({ place }) => place);
  const lost = useView(({ connection }) => connection === 'lost');
  const inspecting = useView(({ inspectorOpen }) => inspectorOpen);
  useAppearance();
  useLowPage();
  useShellKeys();
  useCameraLeaves();
  useNoStrayDrops();
  return (
    <Tooltip.Provider delayDuration={400}>
      <div className="shell">
        <header className="shell-head">
          <Places />
          <div className="shell-tools">
            <IconButton
              icon={Command}
              label={t('shell.commands')}
              hint={paletteKeys(navigator.platform)}
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
        <div className="shell-body">
          <div className="shell-place">
            {place === 'talk' && <TalkPlace />}
            {place === 'chat' && <LateScreen load={loadChat} />}
            {place === 'settings' && <LateScreen load={loadSettings} />}
          </div>
          {inspecting && (
            <Suspense fallback={null}>
              <Inspector />
            </Suspense>
          )}
        </div>
        <CommandPalette />
        <ShortcutsSheet />
      </div>
    </Tooltip.Provider>
  );
}

/** Whoever comes for the first time is met by the first steps, unless a talk goes on already. */
function TalkPlace() {
  const steps = useView(firstStepsNow);
  const idle = useView(({ state }) => state.value.phase === 'idle');
  if (steps === 'done' || !idle) return <TalkScreen />;
  if (steps === 'due') return <LateScreen load={loadFirstRun} />;
  return <main aria-busy="true" />;
}

function Places() {
  const { t } = useTranslation();
  const { go } = useActions();
  const place = useView(({ place }) => place);
  return (
    <nav aria-label={t('places.name')}>
      <ul className="places">
        {places.map((name) => (
          <li key={name}>
            <button
              type="button"
              aria-current={place === name ? 'page' : undefined}
              onClick={() => {
                go(name);
              }}
            >
              {t(`places.${name}`)}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}
