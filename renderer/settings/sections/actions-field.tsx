import { ArrowDown, ArrowUp, Pencil, Plus, Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type CursorAction,
  isBuiltInAction,
  maxActionName,
  maxActionPrompt,
  maxActions,
} from '../../../shared/cursor/cursor-action.ts';
import { actionKeyOwner, conflictingOwners } from '../../../shared/settings/key-owners.ts';
import { defaultSettings } from '../../../shared/settings/settings.ts';
import { useActions } from '../../app/app-context.ts';
import { actionIconOf, useActionName } from '../../cursor/action-icons.ts';
import {
  Button,
  IconButton,
  handleSubmit,
  passFocusOn,
  Switch,
  TextArea,
} from '../../design/controls.tsx';
import {
  globalKeyFault,
  useKeyConflictText,
  isWindowKey,
  keyName,
} from '../../keys/window-keys.ts';
import { Setting, useSettingsGroup } from '../controls/setting.tsx';
import { RecordKeyButton } from '../keys/keys-section.tsx';

const at = 'cursor.actions';

/** The user's actions: their order, and a form for one of them. */
export function ActionsField() {
  const { t } = useTranslation();
  const { setup } = useActions();
  const nameOf = useActionName();
  const { actions } = useSettingsGroup('cursor');
  const [edited, setEdited] = useState<CursorAction>();
  const save = (next: readonly CursorAction[]): void =>
    void setup.choose(at, { cursor: { actions: next } });
  const keep = (action: CursorAction): void => {
    const isStored = actions.some(({ id }) => id === action.id);
    save(
      isStored
        ? actions.map((other) => (other.id === action.id ? action : other))
        : [...actions, action],
    );
    setEdited(undefined);
  };
  const move = (index: number, by: -1 | 1): void => {
    const [one, other] = [actions[index], actions[index + by]];
    if (one !== undefined && other !== undefined)
      save(actions.with(index, other).with(index + by, one));
  };
  const isChanged = JSON.stringify(actions) !== JSON.stringify(defaultSettings.cursor.actions);
  return (
    <Setting at={at} wide>
      {(aria) => (
        <div className="cursor-action-list" role="group" {...aria}>
          <ul>
            {actions.map((action, index) => {
              const Icon = actionIconOf(action);
              const name = nameOf(action);
              return (
                <li key={action.id} ref={passFocusOn}>
                  <Icon aria-hidden />
                  <span className="one-line" dir="auto">
                    {name}
                  </span>
                  {index > 0 && (
                    <IconButton
                      ref={passFocusOn}
                      icon={ArrowUp}
                      label={t('settings.cursor.up', { name })}
                      onClick={() => move(index, -1)}
                    />
                  )}
                  {index < actions.length - 1 && (
                    <IconButton
                      ref={passFocusOn}
                      icon={ArrowDown}
                      label={t('settings.cursor.down', { name })}
                      onClick={() => move(index, 1)}
                    />
                  )}
                  <IconButton
                    icon={Pencil}
                    label={t('settings.cursor.edit', { name })}
                    onClick={() => setEdited(action)}
                  />
                  <IconButton
                    icon={Trash2}
                    label={t('settings.cursor.remove', { name })}
                    onClick={() => save(actions.filter((other) => other !== action))}
                  />
                </li>
              );
            })}
          </ul>
          {edited !== undefined && (
            <ActionForm
              key={edited.id}
              action={edited}
              onSave={keep}
              onCancel={() => setEdited(undefined)}
            />
          )}
          <div className="button-row">
            {actions.length < maxActions && (
              <Button icon={<Plus aria-hidden />} onClick={() => setEdited(newAction(actions))}>
                {t('settings.cursor.add')}
              </Button>
            )}
            {isChanged && (
              <Button
                ref={passFocusOn}
                kind="quiet"
                onClick={() => save(defaultSettings.cursor.actions)}
              >
                {t('settings.resetAll')}
              </Button>
            )}
          </div>
        </div>
      )}
    </Setting>
  );
}

function newAction(actions: readonly CursorAction[]): CursorAction {
  const ids = new Set(actions.map(({ id }) => id));
  let number = actions.length + 1;
  while (ids.has(`own-${number}`)) number += 1;
  return { id: `own-${number}`, name: '', icon: 'star', prompt: '', key: 'none', inPlace: false };
}

interface FormProps {
  readonly action: CursorAction;
  readonly onSave: (action: CursorAction) => void;
  readonly onCancel: () => void;
}

function ActionForm({ action, onSave, onCancel }: FormProps) {
  const { t } = useTranslation();
  const nameOf = useActionName();
  const takenText = useKeyConflictText();
  const talking = useSettingsGroup('talking');
  const keys = useSettingsGroup('keys');
  const cursor = useSettingsGroup('cursor');
  const [draft, setDraft] = useState(action);
  const owners = conflictingOwners({ talking, keys, cursor }, actionKeyOwner(action), action.key);
  const [fault, setFault] = useState(
    owners.length === 0 ? undefined : takenText(action.key, owners),
  );
  const labels = useId();
  const names = t('keys', { returnObjects: true });
  const isBuiltIn = isBuiltInAction(action.id);
  const complete = isBuiltIn || (draft.name.trim() !== '' && draft.prompt.trim() !== '');
  return (
    <form
      ref={passFocusOn}
      className="cursor-action-form"
      onSubmit={handleSubmit(() => complete && onSave(draft))}
    >
      <label>
        {t('settings.cursor.name')}
        <input
          className="text-field"
          dir="auto"
          maxLength={maxActionName}
          placeholder={nameOf({ ...action, name: '' })}
          value={draft.name}
          onChange={({ target: { value: name } }) => setDraft({ ...draft, name })}
        />
      </label>
      <label>
        {t('settings.cursor.prompt')}
        <TextArea
          rows={4}
          maxLength={maxActionPrompt}
          placeholder={isBuiltIn ? t('settings.cursor.builtIn') : undefined}
          value={draft.prompt}
          onWrite={(prompt) => setDraft({ ...draft, prompt })}
        />
      </label>
      <div className="button-row">
        <span id={`${labels}-key`}>{t('settings.cursor.key')}</span>
        <kbd className="key" dir="ltr" data-none={draft.key === 'none'}>
          {keyName(draft.key, names)}
        </kbd>
        <RecordKeyButton
          aria-describedby={`${labels}-key`}
          onRecord={(key, stroke) => {
            const found = globalKeyFault(stroke);
            const others = conflictingOwners(
              { talking, keys, cursor },
              actionKeyOwner(action),
              key,
              (other) => isWindowKey(keys, other, stroke),
            );
            if (found !== undefined)
              setFault(t(`settings.talking.faults.${found}`, { key: keyName(key, names) }));
            else setFault(others.length === 0 ? undefined : takenText(key, others));
            if (found !== undefined || others.length > 0) return 'again';
            setDraft({ ...draft, key });
            return undefined;
          }}
        />
        {draft.key !== 'none' && (
          <Button
            ref={passFocusOn}
            kind="quiet"
            onClick={() => {
              setFault(undefined);
              setDraft({ ...draft, key: 'none' });
            }}
          >
            {t('settings.cursor.noKey')}
          </Button>
        )}
      </div>
      {fault !== undefined && (
        <p role="alert" className="row-problem">
          {fault}
        </p>
      )}
      <div className="button-row">
        <span id={`${labels}-place`}>{t('settings.cursor.inPlace')}</span>
        <Switch
          aria-labelledby={`${labels}-place`}
          on={draft.inPlace}
          onSwitch={(inPlace) => setDraft({ ...draft, inPlace })}
        />
      </div>
      <div className="button-row">
        <Button kind="strong" type="submit" aria-disabled={!complete}>
          {t('buttons.save')}
        </Button>
        <Button onClick={onCancel}>{t('buttons.cancel')}</Button>
      </div>
    </form>
  );
}
