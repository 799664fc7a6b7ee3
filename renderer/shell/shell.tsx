import { Command } from 'lucide-react';
import { Tooltip } from 'radix-ui';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../design/icon-button.tsx';
import { useActions, useDesk, useView } from '../store/use-desk.ts';
import { TalkScreen } from '../talk/talk-screen.tsx';
import { AppearanceMenu } from './appearance-menu.tsx';
import { CommandPalette } from './command-palette.tsx';
import { MiniButton } from './mini-button.tsx';
import { useCameraLeaves } from './use-camera-leaves.ts';
import { LateScreen } from './late-screen.tsx';
import { paletteKeys } from './palette-keys.ts';
import './shell.css';
import { useAppearance } from './use-appearance.ts';
import { useLowPage } from './use-low-page.ts';
import { useNoStrayDrops } from './use-no-stray-drops.ts';

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
  useAppearance();
  useLowPage();
  usePaletteKey();
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
        {place === 'talk' && <TalkScreen />}
        {place === 'chat' && <LateScreen load={loadChat} />}
        {place === 'settings' && <LateScreen load={loadSettings} />}
        <CommandPalette />
      </div>
    </Tooltip.Provider>
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
