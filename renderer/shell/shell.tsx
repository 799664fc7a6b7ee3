import { Command } from 'lucide-react';
import { Tooltip } from 'radix-ui';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { AboutScreen } from '../about/about-screen.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { useActions, useView } from '../store/use-desk.ts';
import { TalkScreen } from '../talk/talk-screen.tsx';
import { AppearanceMenu } from './appearance-menu.tsx';
import { CommandPalette } from './command-palette.tsx';
import { paletteKeys } from './palette-keys.ts';
import './shell.css';
import { useAppearance } from './use-appearance.ts';
import { useShellKeys } from './use-shell-keys.ts';

const FirstRun = lazy(async () => {
  const { FirstRun } = await import('../first-run/first-run.tsx');
  return { default: FirstRun };
});

const Inspector = lazy(async () => {
  const { Inspector } = await import('../inspector/inspector.tsx');
  return { default: Inspector };
});

const places = ['talk', 'about'] as const;

/** The frame around every screen. */
export function Shell() {
  const { t } = useTranslation();
  const { setPalette } = useActions();
  const place = useView(({ place }) => place);
  const lost = useView(({ connection }) => connection === 'lost');
  const inspecting = useView(({ inspectorOpen }) => inspectorOpen);
  useAppearance();
  useShellKeys();
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
            <AppearanceMenu />
          </div>
        </header>
        {lost && (
          <p className="shell-lost" role="alert">
            {t('shell.connectionLost')}
          </p>
        )}
        <div className="shell-body">
          <div className="shell-place">{place === 'talk' ? <TalkPlace /> : <AboutScreen />}</div>
          {inspecting && (
            <Suspense fallback={null}>
              <Inspector />
            </Suspense>
          )}
        </div>
        <CommandPalette />
      </div>
    </Tooltip.Provider>
  );
}

/** Whoever comes for the first time is met by the first steps, unless a talk goes on already. */
function TalkPlace() {
  const first = useView(({ settings }) => settings?.firstRun.done === false);
  const idle = useView(({ state }) => state.value.phase === 'idle');
  if (!first || !idle) return <TalkScreen />;
  return (
    <Suspense fallback={null}>
      <FirstRun />
    </Suspense>
  );
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
