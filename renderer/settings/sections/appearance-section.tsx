import { Minus, Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { languageChoices } from '../../i18n/use-language.ts';
import { IconButton } from '../../design/icon-button.tsx';
import { useActions } from '../../store/use-app-context.ts';
import { ChoiceSetting } from '../controls/setting-controls.tsx';
import { Setting } from '../controls/setting.tsx';
import { useSettingsGroup } from '../controls/use-settings-group.ts';

const minTextSize = 80;
const maxTextSize = 200;

export function AppearanceSection() {
  const { t } = useTranslation();
  const { theme, language } = useSettingsGroup('appearance');
  return (
    <>
      <h1>{t('settings.sections.appearance')}</h1>
      <ChoiceSetting
        at="appearance.theme"
        value={theme}
        choices={t('shell.themes', { returnObjects: true })}
        patch={(theme) => ({ appearance: { theme } })}
      />
      <TextSize />
      <ChoiceSetting
        at="appearance.language"
        value={language}
        choices={languageChoices(t)}
        patch={(language) => ({ appearance: { language } })}
      />
    </>
  );
}

/** In steps and not by a slider: the page grows under the hand, and a slider would slip away. */
function TextSize() {
  const { t } = useTranslation();
  const { setup } = useActions();
  const { textSize } = useSettingsGroup('appearance');
  const at = 'appearance.textSize';
  const step = (by: number) => (): void => {
    const next = Math.min(maxTextSize, Math.max(minTextSize, textSize + by));
    void setup.choose(at, { appearance: { textSize: next } });
  };
  return (
    <Setting at={at}>
      {(aria) => (
        <div role="group" className="stepper" {...aria}>
          <IconButton
            icon={Minus}
            label={t('settings.appearance.smaller')}
            aria-disabled={textSize <= minTextSize}
            onClick={step(-10)}
          />
          <output aria-live="polite">{t('settings.sound.percent', { value: textSize })}</output>
          <IconButton
            icon={Plus}
            label={t('settings.appearance.larger')}
            aria-disabled={textSize >= maxTextSize}
            onClick={step(10)}
          />
        </div>
      )}
    </Setting>
  );
}
