import { useTranslation } from 'react-i18next';
import { defaultSettings } from '../../../shared/settings/default-settings.ts';
import { ChoiceSetting, SliderSetting } from '../controls/setting-controls.tsx';
import { useSettingsGroup } from '../controls/use-settings-group.ts';

/** How captions look, with a line of them to look at. */
export function CaptionsSection() {
  const { t } = useTranslation();
  const { size, contrast } = useSettingsGroup('captions');
  return (
    <>
      <h1>{t('settings.sections.captions')}</h1>
      <SliderSetting
        at="captions.size"
        value={size}
        min={14}
        max={96}
        step={1}
        defaultValue={defaultSettings.captions.size}
        shown={String}
        patch={(size) => ({ captions: { size } })}
      />
      <ChoiceSetting
        at="captions.contrast"
        value={contrast}
        choices={t('settings.captions.contrasts', { returnObjects: true })}
        patch={(contrast) => ({ captions: { contrast } })}
      />
      <p className="caption-sample">
        {t('settings.captions.heard')}{' '}
        <span className="caption-sample-coming">{t('settings.captions.coming')}</span>{' '}
        <s className="caption-sample-coming">{t('settings.captions.cut')}</s>
      </p>
    </>
  );
}
