import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useActions, useUiState } from '../../store/use-app-context.ts';
import { AddVoice } from './add-voice.tsx';
import { PickerSetting } from '../controls/setting-controls.tsx';
import { Setting } from '../controls/setting.tsx';
import { useSettingsGroup } from '../controls/use-settings-group.ts';
import { VoiceRow } from './voice-row.tsx';
import './voices.css';

/** Whom the model takes after, and whose voice it speaks with. */
export function VoicesSection() {
  const { t } = useTranslation();
  const { setup } = useActions();
  const { model, speech } = useSettingsGroup('voices');
  const all = useUiState(({ settingsUi }) => settingsUi.voices);
  const removed = useUiState(({ removed }) => removed?.keys);
  const voices = all?.filter(({ id }) => removed?.has(`voice ${id}`) !== true);
  useEffect(() => {
    void setup.readVoices();
    return setup.stopVoices;
  }, [setup]);
  const named = Object.fromEntries((voices ?? []).map(({ id, name }) => [id, name]));
  const none = t('settings.voices.none');
  const otherwise = voices === undefined ? '…' : t('settings.voices.gone');
  return (
    <>
      <h1>{t('settings.sections.voices')}</h1>
      <PickerSetting
        at="voices.model"
        value={model}
        choices={{ none, ...named }}
        otherwise={otherwise}
        patch={(model) => ({ voices: { model } })}
      />
      <PickerSetting
        at="voices.speech"
        value={speech}
        choices={{ none: model === 'none' ? none : t('settings.voices.asAbove'), ...named }}
        otherwise={otherwise}
        patch={(speech) => ({ voices: { speech } })}
      />
      <Setting at="voices.list" field="voices" wide>
        {() =>
          voices?.length === 0 ? (
            <p className="settings-quiet">{t('settings.voices.empty')}</p>
          ) : (
            <ul className="voices">
              {voices?.map((voice) => (
                <VoiceRow key={voice.id} voice={voice} />
              ))}
            </ul>
          )
        }
      </Setting>
      <AddVoice />
    </>
  );
}
