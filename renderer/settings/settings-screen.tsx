import { X } from 'lucide-react';
import { useEffect } from 'react';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../design/icon-button.tsx';
import type { SettingsSection } from '../store/settings/settings-ui-state.ts';
import { errorText } from '../parts/error-text.ts';
import { useActions, useUiState } from '../store/use-app-context.ts';
import { AboutSection } from './about/about-section.tsx';
import { AppearanceSection } from './sections/appearance-section.tsx';
import { AssistantSection } from './assistant/assistant-section.tsx';
import { AudioSection } from './audio/audio-section.tsx';
import { CaptionsSection } from './sections/captions-section.tsx';
import { DesktopSection } from './sections/desktop-section.tsx';
import { KeysSection } from './keys/keys-section.tsx';
import { EndpointsSection } from './endpoints/endpoints-section.tsx';
import { PrivacySection } from './sections/privacy-section.tsx';
import { SettingsSearchField, SettingsSearchResults } from './settings-search.tsx';
import { SectionNav, SectionPicker } from './section-nav.tsx';
import './settings-screen.css';
import './settings-search.css';
import './sections/sections.css';
import { TalkingSection } from './sections/talking-section.tsx';
import { VisionSection } from './sections/vision-section.tsx';
import { VoicesSection } from './voices/voices-section.tsx';

const screens: Readonly<Record<SettingsSection, ComponentType>> = {
  endpoints: EndpointsSection,
  assistant: AssistantSection,
  voices: VoicesSection,
  audio: AudioSection,
  vision: VisionSection,
  talking: TalkingSection,
  keys: KeysSection,
  captions: CaptionsSection,
  appearance: AppearanceSection,
  desktop: DesktopSection,
  privacy: PrivacySection,
  about: AboutSection,
};

/** Everything that can be set, a part at a time; what is changed counts at once. */
export function SettingsScreen() {
  const { t } = useTranslation();
  const { setup } = useActions();
  const searching = useUiState(({ settingsUi }) => settingsUi.searchText.trim() !== '');
  useEffect(() => setup.flushAll, [setup]);
  return (
    <main className="settings" aria-label={t('places.settings')}>
      <div className="settings-side">
        <SettingsSearchField />
        <SectionNav />
        <SectionPicker />
      </div>
      <div className="settings-body">
        <Problem />
        {searching ? <SettingsSearchResults /> : <Section />}
      </div>
    </main>
  );
}

function Section() {
  const { t } = useTranslation();
  const section = useUiState(({ settingsUi }) => settingsUi.section);
  const there = useUiState(({ settings }) => settings !== undefined);
  // What runs here can be read also where nothing could be set.
  if (!there && section !== 'about') {
    return (
      <>
        <h1>{t(`settings.sections.${section}`)}</h1>
        <p className="settings-quiet">{t('settings.waiting')}</p>
      </>
    );
  }
  const Screen = screens[section];
  return <Screen key={section} />;
}

/** What went wrong and has no place of its own, as a settings file that could not be read. */
function Problem() {
  const { t } = useTranslation();
  const { dismissProblem } = useActions();
  const problem = useUiState(({ problem }) => problem);
  return (
    <div className="settings-problem" role="alert">
      {problem !== undefined && (
        <div className="note" data-kind="bad">
          <p dir="auto">{errorText(t, problem)}</p>
          <IconButton icon={X} label={t('shell.dismiss')} onClick={dismissProblem} />
        </div>
      )}
    </div>
  );
}
