import { Pencil, Play, Square, Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { StoredVoice } from '../../../shared/settings/stored-voice.ts';
import { useActions, useUiState } from '../../app/use-app-context.ts';
import { Button, IconButton } from '../../design/button.tsx';
import { PickerSetting, Setting } from '../controls/setting.tsx';
import { useFieldProblem, useSettingsGroup } from '../controls/use-settings.ts';
import { AddVoice } from './add-voice.tsx';
import './voices.css';

/** Whom the model takes after, and whose voice it speaks with. */
export function VoicesSection() {
  const { t } = useTranslation();
  const { setup } = useActions();
  const { model } = useSettingsGroup('voices');
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
      <PickerSetting at="voices.model" choices={{ none, ...named }} otherwise={otherwise} />
      <PickerSetting
        at="voices.speech"
        choices={{ none: model === 'none' ? none : t('settings.voices.asAbove'), ...named }}
        otherwise={otherwise}
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

/** A voice: heard, named, removed. */
function VoiceRow({ voice }: { readonly voice: StoredVoice }) {
  const { t } = useTranslation();
  const { setup, removal } = useActions();
  const { id, name, seconds, notes } = voice;
  const playing = useUiState(({ settingsUi }) => settingsUi.previewed === id);
  const problem = useFieldProblem(`voice.${id}`);
  const [renaming, setRenaming] = useState(false);
  const facts = [
    t('settings.voices.seconds', { seconds }),
    ...notes.map((note) => t(`settings.voices.notes.${note}`)),
  ].join(' · ');
  return (
    <li className="voice">
      {renaming ? (
        <Rename
          voice={voice}
          done={() => {
            setRenaming(false);
          }}
        />
      ) : (
        <div className="voice-words">
          <span className="row-name" dir="auto">
            {name}
          </span>
          <span className="row-hint">{facts}</span>
        </div>
      )}
      <div className="voice-tools">
        <IconButton
          icon={playing ? Square : Play}
          label={playing ? t('settings.voices.stop') : t('settings.voices.play', { name })}
          onClick={() => void (playing ? setup.stopVoice(id) : setup.playVoice(id))}
        />
        <IconButton
          icon={Pencil}
          label={t('settings.voices.rename', { name })}
          onClick={() => {
            setRenaming(!renaming);
          }}
        />
        <IconButton
          icon={Trash2}
          label={t('settings.voices.remove', { name })}
          onClick={() => {
            removal.remove({
              keys: [`voice ${id}`],
              told: t('shell.undo.deleted', { title: name }),
              remove: () => setup.removeVoice(id),
            });
          }}
        />
      </div>
      <p className="row-problem" role="alert" dir="auto">
        {problem}
      </p>
    </li>
  );
}

interface RenameProps {
  readonly voice: StoredVoice;
  readonly done: () => void;
}

/** Escape leaves the name as it was; a name that is not taken stays to be corrected. */
function Rename({ voice: { id, name }, done }: RenameProps) {
  const { t } = useTranslation();
  const { setup } = useActions();
  const [typed, setTyped] = useState(name);
  const save = async (): Promise<void> => {
    if (await setup.renameVoice(id, typed)) done();
  };
  return (
    <form
      className="voice-rename"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <input
        type="text"
        className="text-field"
        dir="auto"
        autoFocus
        aria-label={t('settings.voices.newName')}
        maxLength={200}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.preventDefault();
          done();
        }}
      />
      <Button type="submit">{t('settings.voices.save')}</Button>
    </form>
  );
}
