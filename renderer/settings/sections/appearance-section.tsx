import { Minus, Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useActions } from '../../app/use-app-context.ts';
import { IconButton } from '../../design/button.tsx';
import { languageChoices } from '../../i18n/page-language.ts';
import { ChoiceSetting, Setting, SliderSetting } from '../controls/setting.tsx';
import { settingRange, useSettingsGroup } from '../controls/use-settings.ts';

export function AppearanceSection() {
  const { t } = useTranslation();
  return (
    <>
      <h1>{t('settings.sections.appearance')}</h1>
      <ChoiceSetting at="appearance.theme" />
      <TextSize />
      <ChoiceSetting at="appearance.language" choices={languageChoices(t)} />
    </>
  );
}

/** Buttons in place of a slider, because the layout grows and would move the slider. */
function TextSize() {
  const { t } = useTranslation();
  const { setup } = useActions();
  const { textSize } = useSettingsGroup('appearance');
  const at = 'appearance.textSize';
  const { min, max } = settingRange(at);
  const step = (by: number) => (): void => {
    const next = Math.min(max, Math.max(min, textSize + by));
    void setup.choose(at, { appearance: { textSize: next } });
  };
  return (
    <Setting at={at}>
      {(aria) => (
        <div role="group" className="stepper" {...aria}>
          <IconButton
            icon={Minus}
            label={t('settings.appearance.smaller')}
            aria-disabled={textSize <= min}
            onClick={step(-10)}
          />
          <output aria-live="polite">{t('settings.sound.percent', { value: textSize })}</output>
          <IconButton
            icon={Plus}
            label={t('settings.appearance.larger')}
            aria-disabled={textSize >= max}
            onClick={step(10)}
          />
        </div>
      )}
    </Setting>
  );
}

/** Caption settings with a sample. */
export function CaptionsSection() {
  const { t } = useTranslation();
  return (
    <>
      <h1>{t('settings.sections.captions')}</h1>
      <SliderSetting at="captions.size" step={1} valueText={String} />
      <ChoiceSetting at="captions.contrast" />
      <p className="caption-sample">
        {t('settings.captions.heard')}
        <span className="caption-sample-coming">{t('settings.captions.coming')}</span>
        <s className="caption-sample-coming">{t('settings.captions.cut')}</s>
      </p>
    </>
  );
}
