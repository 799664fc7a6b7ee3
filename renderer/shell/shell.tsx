import { Command } from 'lucide-react';
import { Tooltip } from 'radix-ui';
import { lazy, Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { AboutScreen } from '../about/about-screen.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { useActions, useDesk, useView } from '../store/use-desk.ts';
import { TalkScreen } from '../talk/talk-screen.tsx';
import { AppearanceMenu } from './appearance-menu.tsx';
import { CommandPalette } from './command-palette.tsx';
import { paletteKeys } from './palette-keys.ts';
import './shell.css';
import { useAppearance } from './use-appearance.ts';

const FirstRun = lazy(async () => {
  const { FirstRun } = await import('../first-run/first-run.tsx');
  return { default: FirstRun };
});

const places = ['talk', 'about'] as const;

/** The frame around every screen. */
export function Shell() {
  const { t } = useTranslation();
  const { setPalette } = useActions();
  const place = useView(({ place }) => place);
  const lost = useView(({ connection }) => connection === 'lost');
  useAppearance();
  usePaletteKey();
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
        {place === 'talk' ? <TalkPlace /> : <AboutScreen />}
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

function usePaletteKey(): void {
  const { store, actions } = useDesk();
  useEffect(() => {
    const hear = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      if (!event.repeat) actions.setPalette(!store.view().paletteOpen);
    };
    window.addEventListener('keydown', hear);
    return () => {
      window.removeEventListener('keydown', hear);
    };
  }, [store, actions]);
}
