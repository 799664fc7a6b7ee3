import { ArrowDown, ArrowUp, Check, Pencil, Trash2, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  maxMemoryTokens,
  maxSentenceLength,
  maxSentences,
  type MemorySentence,
  type MemorySource,
  type MemorySuggestion,
} from '../../shared/memory/memory-view.ts';
import { useActions, useUiState } from '../app/app-context.ts';
import {
  Button,
  IconButton,
  handleSubmit,
  passFocusOn,
  Switch,
  TextInput,
  Note,
} from '../design/controls.tsx';
import { PhraseField } from '../design/edit-in-place.tsx';
import { Confirm } from '../design/layers.tsx';
import { errorText } from '../i18n/format.ts';
import {
  PickerSetting,
  Setting,
  SwitchSetting,
  useSettingsGroup,
} from '../settings/controls/setting.tsx';
import { memoryListField, memoryWriteField } from '../settings/settings-actions.ts';
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

const suggestModes = ['offer', 'auto', 'never'] as const;

/** Sentences that the user may accept. Until the user has chosen, it also asks what to do with new ones. */
function SuggestionList({ suggestions }: { readonly suggestions: readonly MemorySuggestion[] }) {
  const { t } = useTranslation();
  const { setup } = useActions();
  const isUndecided = useUiState(({ settings }) => settings?.memory.suggest === 'unasked');
  return (
    <section className="memory-suggestions" aria-label={t('memory.suggestions.title')}>
      <h2>{t('memory.suggestions.title')}</h2>
      <ul>
        {suggestions.map((suggestion) => (
          <Suggestion key={suggestion.id} suggestion={suggestion} />
        ))}
      </ul>
      {isUndecided && (
        <div className="memory-first-choice">
          <p>{t('memory.suggestions.first')}</p>
          <div className="button-row">
            {suggestModes.map((mode) => (
              <Button
                key={mode}
                onClick={() => void setup.choose('memory.suggest', { memory: { suggest: mode } })}
              >
                {t(`settings.choices.memory.suggest.${mode}`)}
              </Button>
            ))}
          </div>
        </div>
      )}
    </section>
  );
}

function Suggestion({ suggestion }: { readonly suggestion: MemorySuggestion }) {
  const { t } = useTranslation();
  const { setup } = useActions();
  const { id, text, replaces } = suggestion;
  const replaced = useUiState(({ memory }) =>
    memory?.sentences.find((each) => each.id === replaces),
  );
  return (
    <li className="memory-row">
      <div className="memory-words">
        <span className="row-name" dir="auto">
          {text}
        </span>
        {replaced !== undefined && (
          <span className="row-hint" dir="auto">
            {t('memory.suggestions.replaces', { text: replaced.text })}
          </span>
        )}
        <SourceLink source={suggestion.source} />
      </div>
      <div className="button-row">
        <Button
          kind="strong"
          icon={<Check aria-hidden />}
          aria-label={t('memory.suggestions.acceptThis', { text })}
          onClick={() => void setup.answerSuggestion(id, true)}
        >
          {t('memory.suggestions.accept')}
        </Button>
        <Button
          icon={<X aria-hidden />}
          aria-label={t('memory.suggestions.rejectThis', { text })}
          onClick={() => void setup.answerSuggestion(id, false)}
        >
          {t('memory.suggestions.reject')}
        </Button>
      </div>
    </li>
  );
}

function WriteSentence() {
  const { t } = useTranslation();
  const { setup } = useActions();
  const [typed, setTyped] = useState('');
  const add = async (): Promise<void> => {
    if (await setup.addSentence(typed)) setTyped((now) => (now === typed ? '' : now));
  };
  return (
    <Setting at="memory.write" field={memoryWriteField} wide>
      {(aria) => (
        <form className="memory-write" onSubmit={handleSubmit(add)}>
          <TextInput
            {...aria}
            dir="auto"
            maxLength={maxSentenceLength}
            spellCheck
            placeholder={t('memory.example')}
            value={typed}
            onWrite={setTyped}
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
  const [isConfirming, setConfirming] = useState(false);
  const { sentences = [], tokens = 0 } = memory ?? {};
  return (
    <Setting at="memory.list" field={memoryListField} wide>
      {(aria) => (
        <div className="memory-list" role="group" {...aria}>
          {memory !== undefined && sentences.length === 0 && (
            <p className="settings-quiet">{t('memory.empty')}</p>
          )}
          {sentences.length > 0 && (
            <>
              <p className="row-hint">
                {t('memory.amount', {
                  count: sentences.length,
                  most: maxSentences,
                  percent: Math.round((100 * tokens) / maxMemoryTokens),
                })}
              </p>
              <ul>
                {sentences.map((sentence, index) => (
                  <SentenceRow
                    key={sentence.id}
                    sentence={sentence}
                    isFirst={index === 0}
                    isLast={index === sentences.length - 1}
                  />
                ))}
              </ul>
              <Button ref={passFocusOn} kind="danger" onClick={() => setConfirming(true)}>
                {t('memory.deleteAll')}
              </Button>
            </>
          )}
          <Confirm
            open={isConfirming}
            question={t('memory.askAll')}
            detail={t('memory.askAllText')}
            yes={t('memory.yesAll')}
            no={t('buttons.cancel')}
            onClose={() => setConfirming(false)}
            onConfirm={() => void setup.removeAllSentences()}
          />
        </div>
      )}
    </Setting>
  );
}

interface SentenceRowProps {
  readonly sentence: MemorySentence;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

function SentenceRow({ sentence, isFirst, isLast }: SentenceRowProps) {
  const { t } = useTranslation();
  const { setup, removal } = useActions();
  const [editing, setEditing] = useState(false);
  /** Words that the core refused, for another try. */
  const [refused, setRefused] = useState<string>();
  const { id, text, on } = sentence;
  const change = async (words: string): Promise<void> => {
    const isChanged = await setup.changeSentence(id, { text: words });
    const kept = isChanged || words === '' ? undefined : words;
    setRefused(kept);
    if (kept !== undefined) setEditing(true);
  };
  const remove = async (): Promise<void> => {
    if (!(await setup.removeSentence(id))) return;
    removal.remove({
      keys: [`memory ${id}`],
      message: t('shell.undo.deleted', { title: text }),
      // The core has deleted it, so that no window sends it.
      remove: () => undefined,
      // The core keeps only the last sentence for Undo.
      completeBefore: ['removeSentence', 'removeAllSentences', 'deleteStoredData'],
      restore: () => setup.restoreSentence(id),
    });
  };
  return (
    <li ref={passFocusOn} className="memory-row" data-on={on}>
      <Switch
        aria-label={t('memory.on', { text })}
        on={on}
        onSwitch={(next) => void setup.changeSentence(id, { on: next })}
      />
      <div className="memory-words">
        {editing ? (
          <PhraseField
            label={t('memory.write')}
            words={text}
            typed={refused}
            maxLength={maxSentenceLength}
            onSubmit={(words) => void change(words)}
            onEnd={(end) => {
              setEditing(false);
              if (end !== 'left') setRefused(undefined);
            }}
          />
        ) : (
          <span className="row-name" dir="auto">
            {text}
          </span>
        )}
        <SourceLink source={sentence.source} />
      </div>
      <div className="memory-tools">
        {!isFirst && (
          <IconButton
            icon={ArrowUp}
            label={t('memory.up', { text })}
            onClick={() => void setup.moveSentence(id, -1)}
          />
        )}
        {!isLast && (
          <IconButton
            icon={ArrowDown}
            label={t('memory.down', { text })}
            onClick={() => void setup.moveSentence(id, 1)}
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
          onClick={() => void remove()}
        />
      </div>
    </li>
  );
}

/** Names where a sentence comes from, and opens that talk or chat. */
function SourceLink({ source: { kind, id, title, when } }: { readonly source: MemorySource }) {
  const { t, i18n } = useTranslation();
  const { history } = useActions();
  const date = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium' }).format(when);
  const name = title === undefined || title === '' ? t('memory.sources.untitled') : title;
  const text = t('memory.from', {
    source: t(`memory.sources.${kind}`, { title: name }),
    date,
  });
  if (kind === 'person' || id === undefined) {
    return (
      <span className="row-hint" dir="auto">
        {text}
      </span>
    );
  }
  return (
    <button
      type="button"
      className="memory-source row-hint"
      dir="auto"
      onClick={() => history.openPast({ kind, id })}
    >
      {text}
    </button>
  );
}
