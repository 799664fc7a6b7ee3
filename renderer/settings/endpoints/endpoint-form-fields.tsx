import { X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import {
  publicServerUrl,
  contextLimitRange,
  type EndpointProfile,
  timeLimitRange,
} from '../../../shared/settings/connection-settings.ts';
import { useActions, useUiState } from '../../app/app-context.ts';
import { Button, IconButton, passFocusOn, Segments, TextInput } from '../../design/controls.tsx';
import { FurtherFields, Setting } from '../controls/setting.tsx';
import { endpointFormId, isFieldInvalid } from '../settings-ui-state.ts';
import type { EndpointForm, FormField } from './endpoint-form.ts';
import './endpoints.css';

interface TokenSettingProps {
  readonly form: EndpointForm;
  readonly profile: EndpointProfile | undefined;
}

/** How secrets are protected on this machine, once known. */
export function SecretStorageHint() {
  const { t } = useTranslation();
  const storage = useUiState(({ settingsUi }) => settingsUi.secretStorage);
  if (storage === undefined) return null;
  return <p className="row-hint">{t(`settings.servers.guarded.${storage}`)}</p>;
}

/** A stored token is never shown; the form only says that one exists. */
export function TokenSetting({ form, profile }: TokenSettingProps) {
  const { t } = useTranslation();
  const { setup } = useActions();
  const isInvalid = useUiState(({ settingsUi }) => isFieldInvalid(settingsUi, 'token'));
  const stored = profile?.hasToken === true;
  return (
    <Setting at="endpoints.token" field={`${endpointFormId}.token`} wide>
      {(aria) => (
        <>
          <TextInput
            {...aria}
            type="password"
            maxLength={16_384}
            aria-invalid={isInvalid}
            value={form.token}
            onWrite={(text) => setup.fillIn({ token: text.trim() })}
          />
          <p className="row-hint">
            {t(stored ? 'settings.servers.tokenKept' : 'settings.servers.tokenNone')}
          </p>
          <SecretStorageHint />
          {stored && (
            <Button onClick={() => void setup.forgetToken(profile.id)}>
              {t('settings.servers.forget')}
            </Button>
          )}
        </>
      )}
    </Setting>
  );
}

interface KeyValueFieldsProps {
  readonly part: 'headers' | 'query';
  readonly fields: readonly FormField[];
  readonly add: string;
}

const maxFields = 40;

/** Header or query fields. Stored values are hidden and can be replaced. */
export function KeyValueFields({ part, fields, add }: KeyValueFieldsProps) {
  const { t } = useTranslation();
  const { setup } = useActions();
  const set = (next: readonly FormField[]): void => setup.fillIn({ [part]: next });
  const change = (changedIndex: number, field: Partial<FormField>): void =>
    set(fields.map((each, index) => (index === changedIndex ? { ...each, ...field } : each)));
  return (
    <Setting at={`endpoints.${part}`} field={`${endpointFormId}.${part}`} wide>
      {() => (
        <>
          {fields.map((field, position) => (
            <div ref={passFocusOn} className="form-field" key={field.key}>
              <TextInput
                aria-label={t('settings.rows.endpoints.called.name')}
                placeholder={t('settings.rows.endpoints.called.name')}
                maxLength={200}
                value={field.name}
                onWrite={(name) => {
                  // The stored value belongs to the old name, so a new name starts with an empty value.
                  change(position, { name, value: field.value ?? '' });
                }}
              />
              <TextInput
                aria-label={t('settings.servers.fieldValue')}
                placeholder={t(
                  field.value === null
                    ? 'settings.servers.fieldKept'
                    : 'settings.servers.fieldValue',
                )}
                maxLength={8000}
                value={field.value ?? ''}
                onWrite={(text) => change(position, { value: text })}
              />
              <IconButton
                icon={X}
                label={t('settings.servers.removeField', { name: field.name })}
                onClick={() => set(fields.filter((_field, index) => index !== position))}
              />
            </div>
          ))}
          {fields.length < maxFields && (
            <Button
              onClick={() => {
                const key = Math.max(-1, ...fields.map((field) => field.key)) + 1;
                set([...fields, { key, name: '', value: '' }]);
              }}
            >
              {add}
            </Button>
          )}
        </>
      )}
    </Setting>
  );
}

interface TraitSettingsProps {
  readonly form: EndpointForm;
}

/** Traits of a server, which Parley detects where the user sets none. */
export function TraitSettings({ form }: TraitSettingsProps) {
  const { t } = useTranslation();
  const { setup } = useActions();
  return (
    <>
      <LimitSetting part="timeLimit" value={form.timeLimit} range={timeLimitRange} />
      <LimitSetting part="contextLimit" value={form.contextLimit} range={contextLimitRange} />
      <Setting at="endpoints.voiceForm">
        {(aria) => (
          <Segments
            {...aria}
            value={form.voiceForm}
            choices={t('settings.servers.voiceForms', { returnObjects: true })}
            onChoose={(voiceForm) => setup.fillIn({ voiceForm })}
          />
        )}
      </Setting>
      <ConfigSetting form={form} />
    </>
  );
}

export function hasTraits({ timeLimit, contextLimit, voiceForm, config }: EndpointForm): boolean {
  const limited = timeLimit !== undefined || contextLimit !== undefined;
  return limited || voiceForm !== 'auto' || config !== '';
}

interface LimitProps {
  readonly part: 'timeLimit' | 'contextLimit';
  readonly value: number | undefined;
  readonly range: { readonly min: number; readonly max: number };
}

function LimitSetting({ part, value, range: { min, max } }: LimitProps) {
  const { t } = useTranslation();
  const { setup } = useActions();
  const limitOf = (text: string): number | undefined => {
    const typed = Math.round(Number(text));
    const isEntered = text.trim() !== '' && Number.isFinite(typed);
    return isEntered ? Math.min(max, Math.max(min, typed)) : undefined;
  };
  return (
    <Setting at={`endpoints.${part}`}>
      {(aria) => (
        <input
          {...aria}
          type="number"
          className="text-field limit-field"
          min={min}
          max={max}
          step={1}
          placeholder={t('settings.servers.learned')}
          defaultValue={value ?? ''}
          // Set with each change and not only on blur, because Enter saves the form while the field has the focus.
          onChange={({ target }) => setup.fillIn({ [part]: limitOf(target.value) })}
          onBlur={({ target }) => {
            target.value = String(limitOf(target.value) ?? '');
          }}
        />
      )}
    </Setting>
  );
}

function ConfigSetting({ form }: TraitSettingsProps) {
  const { setup } = useActions();
  const field = `${endpointFormId}.config`;
  const isInvalid = useUiState(({ settingsUi }) => settingsUi.fields[field]?.problem !== undefined);
  return (
    <Setting at="endpoints.config" field={field} wide>
      {(aria) => (
        <FurtherFields
          {...aria}
          aria-invalid={isInvalid}
          value={form.config}
          onWrite={(config) => setup.fillIn({ config })}
        />
      )}
    </Setting>
  );
}

interface PrivacyNoteProps {
  readonly address: string;
  readonly onChoose: (address: string) => void;
}

/** Privacy note for servers, and a button for the public server. */
export function ServerPrivacyNote({ address, onChoose }: PrivacyNoteProps) {
  const { t } = useTranslation();
  return (
    <div className="server-privacy-note">
      <p className="row-hint">{t('settings.servers.records')}</p>
      {address === '' && (
        <Button ref={passFocusOn} kind="quiet" onClick={() => onChoose(publicServerUrl)}>
          {t('settings.servers.publicServer')}
        </Button>
      )}
    </div>
  );
}
