import { ArrowDown, ArrowUp, Pencil, Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  maxMemoryTokens,
  maxSentenceLength,
  maxSentences,
  type MemorySentence,
} from '../../shared/memory/memory-view.ts';
import { useActions, useUiState } from '../app/use-app-context.ts';
import { Button, IconButton } from '../design/button.tsx';
import { PhraseField } from '../design/edit-in-place.tsx';
import { Switch, TextInput } from '../design/fields.tsx';
import { Note } from '../design/note.tsx';
import { Confirm } from '../design/sheet.tsx';
import { errorText } from '../i18n/error-text.ts';
import { PickerSetting, Setting, SwitchSetting } from '../settings/controls/setting.tsx';
import { useSettingsGroup } from '../settings/controls/use-settings.ts';
import { memoryListField, memoryWriteField } from './memory-actions.ts';
import { SuggestionList } from './suggestions.tsx';
import { SourceLink } from './source-link.tsx';
import './memory.css';

export function MemorySection() {
  const { t } = useTranslation();
  const { setup } = useActions();
  const { suggest } = useSettingsGroup('memory');
  const problem = useUiState(({ memory }) => memory?.problem);
  const suggestions = useUiState(({ memory }) => memory?.suggestions) ?? [];
  useEffect(() => void setup.readMemory(), [setup]);
  return (
    <>
      <h1>{t('settings.sections.memory')}</h1>
      {problem !== undefined && <Note kind="warn">{errorText(t, problem)}</Note>}
      {suggestions.length > 0 && <SuggestionList suggestions={suggestions} />}
      <SwitchSetting at="memory.use" />
      <SwitchSetting at="memory.past" />
      <PickerSetting
        at="memory.suggest"
        value={suggest === 'unasked' ? 'offer' : suggest}
        choices={t('settings.choices.memory.suggest', { returnObjects: true })}
        patch={(chosen) => ({ memory: { suggest: chosen as typeof suggest } })}
      />
      <WriteSentence />
      <SentenceList />
    </>
  );
}

function WriteSentence() {
  const { t } = useTranslation();
  const { setup } = useActions();
  const [typed, setTyped] = useState('');
  const add = async (): Promise<void> => {
    if (await setup.addSentence(typed)) setTyped('');
  };
  return (
    <Setting at="memory.write" field={memoryWriteField} wide>
      {(aria) => (
        <form
          className="memory-write"
          onSubmit={(event) => {
            event.preventDefault();
            void add();
          }}
        >
          <TextInput
            {...aria}
            dir="auto"
            maxLength={maxSentenceLength}
            spellCheck
            placeholder={t('memory.example')}
            value={typed}
            write={setTyped}
          />
          <Button type="submit" aria-disabled={typed.trim() === ''}>
            {t('memory.add')}
          </Button>
        </form>
      )}
    </Setting>
  );
}

function SentenceList() {
  const { t } = useTranslation();
  const { setup } = useActions();
  const memory = useUiState(({ memory }) => memory);
  const removed = useUiState(({ removed }) => removed?.keys);
  const [asked, setAsked] = useState(false);
  const { sentences = [], tokens = 0 } = memory ?? {};
  const shown = sentences.filter(({ id }) => removed?.has(removalKey(id)) !== true);
  return (
    <Setting at="memory.list" field={memoryListField} wide>
      {(aria) => (
        <div className="memory-list" role="group" {...aria}>
          {memory !== undefined && shown.length === 0 && (
            <p className="settings-quiet">{t('memory.empty')}</p>
          )}
          {shown.length > 0 && (
            <>
              <p className="row-hint">
                {t('memory.amount', {
                  count: shown.length,
                  most: maxSentences,
                  percent: Math.round((100 * tokens) / maxMemoryTokens),
                })}
              </p>
              <ul>
                {shown.map((sentence, index) => (
                  <SentenceRow
                    key={sentence.id}
                    sentence={sentence}
                    before={index > 0 ? sentences.indexOf(sentence) - 1 : undefined}
                    after={index < shown.length - 1 ? sentences.indexOf(sentence) + 1 : undefined}
                  />
                ))}
              </ul>
              <Button kind="danger" onClick={() => setAsked(true)}>
                {t('memory.deleteAll')}
              </Button>
            </>
          )}
          <Confirm
            open={asked}
            question={t('memory.askAll')}
            more={t('memory.askAllText')}
            yes={t('memory.yesAll')}
            no={t('buttons.cancel')}
            close={() => setAsked(false)}
            run={() => void setup.removeAllSentences()}
          />
        </div>
      )}
    </Setting>
  );
}

const removalKey = (id: string): string => `memory ${id}`;

interface SentenceRowProps {
  readonly sentence: MemorySentence;
  /** The places that the arrows move it to; undefined at the ends. */
  readonly before: number | undefined;
  readonly after: number | undefined;
}

function SentenceRow({ sentence, before, after }: SentenceRowProps) {
  const { t } = useTranslation();
  const { setup, removal } = useActions();
  const [editing, setEditing] = useState(false);
  const { id, text, on } = sentence;
  return (
    <li className="memory-row" data-on={on}>
      <Switch
        aria-label={t('memory.on', { text })}
        on={on}
        setOn={(next) => void setup.changeSentence(id, { on: next })}
      />
      <div className="memory-words">
        {editing ? (
          <PhraseField
            label={t('memory.write')}
            words={text}
            maxLength={maxSentenceLength}
            take={(words) => void setup.changeSentence(id, { text: words })}
            end={() => setEditing(false)}
          />
        ) : (
          <span className="row-name" dir="auto">
            {text}
          </span>
        )}
        <SourceLink source={sentence.source} />
      </div>
      <div className="memory-tools">
        {before !== undefined && (
          <IconButton
            icon={ArrowUp}
            label={t('memory.up', { text })}
            onClick={() => void setup.moveSentence(id, before)}
          />
        )}
        {after !== undefined && (
          <IconButton
            icon={ArrowDown}
            label={t('memory.down', { text })}
            onClick={() => void setup.moveSentence(id, after)}
          />
        )}
        <IconButton
          icon={Pencil}
          label={t('memory.edit', { text })}
          onClick={() => setEditing(!editing)}
        />
        <IconButton
          icon={Trash2}
          label={t('memory.remove', { text })}
          onClick={() =>
            removal.remove({
              keys: [removalKey(id)],
              message: t('shell.undo.deleted', { title: text }),
              remove: () => setup.removeSentence(id),
            })
          }
        />
      </div>
    </li>
  );
}
