import type { TFunction } from 'i18next';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type {
  EndpointVerdict,
  EndpointProfile,
} from '../../../shared/settings/connection-settings.ts';
import { useActions, useUiState } from '../../app/app-context.ts';
import { Button, passFocusOn, Segments, TextInput } from '../../design/controls.tsx';
import { errorText } from '../../i18n/format.ts';
import { Setting, type SettingId, useFieldProblem, useIsBusy } from '../controls/setting.tsx';
import { endpointFormId, isFieldInvalid } from '../settings-ui-state.ts';
import {
  hasTraits,
  KeyValueFields,
  ServerPrivacyNote,
  TokenSetting,
  TraitSettings,
} from './endpoint-form-fields.tsx';
import type { EndpointForm } from './endpoint-form.ts';

interface Props {
  readonly form: EndpointForm;
  /** Undefined for a new server. */
  readonly profile?: EndpointProfile;
}

/** The server form. It is tested and saved as a whole, because partial addresses are invalid. */
export function EndpointFormView({ form, profile }: Props) {
  const { t } = useTranslation();
  const { setup } = useActions();
  const isBusy = useIsBusy(endpointFormId);
  const problem = useFieldProblem(endpointFormId);
  const formElement = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // A field that the user searched for keeps the focus.
    if (formElement.current?.contains(document.activeElement) === true) return;
    formElement.current?.querySelector('input')?.focus();
  }, []);
  /** Focuses the first invalid field after rendering. */
  const focusWrong = (): void => {
    setTimeout(() =>
      formElement.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(),
    );
  };
  const test = async (): Promise<void> => {
    // The verdict is beside the button, so the focus stays there.
    if (!(await setup.testForm())) focusWrong();
  };
  const title =
    profile === undefined
      ? t('settings.servers.adding')
      : t('settings.servers.editing', { name: profile.name });
  return (
    <form
      ref={formElement}
      className="server-form"
      aria-label={title}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void setup.saveForm().then(focusWrong);
      }}
    >
      <h2 dir="auto">{title}</h2>
      <TextSetting at="endpoints.url" form={form} part="url" maxLength={2000} />
      <ServerPrivacyNote address={form.url} onChoose={(url) => setup.fillIn({ url })} />
      <TextSetting at="endpoints.called" form={form} part="name" maxLength={80} />
      <Setting at="endpoints.kind">
        {(aria) => (
          <Segments
            {...aria}
            value={form.kind}
            choices={t('settings.servers.kinds', { returnObjects: true })}
            onChoose={(kind) => setup.fillIn({ kind })}
          />
        )}
      </Setting>
      <TokenSetting form={form} profile={profile} />
      <AdvancedSettings form={form} />
      <VerdictLine of={endpointFormId} problem={problem} />
      <TrustCertificateButton form={form} />
      <div className="server-buttons button-row">
        <Button kind="strong" type="submit" aria-disabled={isBusy}>
          {t('buttons.save')}
        </Button>
        <Button aria-disabled={isBusy} onClick={() => void test()}>
          {t(isBusy ? 'settings.servers.testing' : 'settings.servers.test')}
        </Button>
        <Button kind="quiet" onClick={setup.closeForm}>
          {t('buttons.cancel')}
        </Button>
        {profile !== undefined && <RemoveButton profile={profile} />}
      </div>
    </form>
  );
}

interface TextProps {
  readonly at: 'endpoints.url' | 'endpoints.called' | 'endpoints.fingerprint';
  readonly form: EndpointForm;
  readonly part: 'url' | 'name' | 'fingerprint';
  readonly maxLength: number;
}

function TextSetting({ at, form, part, maxLength }: TextProps) {
  const { setup } = useActions();
  const field = `${endpointFormId}.${part}`;
  const isInvalid = useUiState(({ settingsUi }) => isFieldInvalid(settingsUi, part));
  return (
    <Setting at={at} field={field} wide>
      {(aria) => (
        <TextInput
          {...aria}
          dir="auto"
          maxLength={maxLength}
          aria-invalid={isInvalid}
          value={form[part]}
          onWrite={(text) => setup.fillIn({ [part]: text })}
        />
      )}
    </Setting>
  );
}

const advancedSettingIds: ReadonlySet<string> = new Set<SettingId>([
  'endpoints.dialect',
  'endpoints.headers',
  'endpoints.query',
  'endpoints.fingerprint',
  'endpoints.timeLimit',
  'endpoints.contextLimit',
  'endpoints.voiceForm',
  'endpoints.config',
]);

/** Fields that few servers need. Open if one of them is set, invalid or searched for. */
function AdvancedSettings({ form }: { readonly form: EndpointForm }) {
  const { t } = useTranslation();
  const { setup } = useActions();
  const { dialect, headers, query, fingerprint } = form;
  const hasValues =
    dialect !== 'auto' ||
    headers.length > 0 ||
    query.length > 0 ||
    fingerprint !== '' ||
    hasTraits(form);
  const isSearchTarget = useUiState(({ settingsUi }) =>
    advancedSettingIds.has(settingsUi.focusTarget ?? ''),
  );
  const [isInitiallyOpen] = useState(hasValues || isSearchTarget);
  const isInvalid = useUiState(({ settingsUi }) =>
    ['headers', 'query', 'fingerprint', 'config'].some(
      (part) => `${endpointFormId}.${part}` in settingsUi.fields,
    ),
  );
  return (
    <details className="server-more" open={isInitiallyOpen || isInvalid || undefined}>
      <summary>{t('settings.servers.more')}</summary>
      <Setting at="endpoints.dialect">
        {(aria) => (
          <Segments
            {...aria}
            value={dialect}
            choices={t('settings.servers.dialects', { returnObjects: true })}
            onChoose={(dialect) => setup.fillIn({ dialect })}
          />
        )}
      </Setting>
      <KeyValueFields part="headers" fields={headers} add={t('settings.servers.addHeader')} />
      <KeyValueFields part="query" fields={query} add={t('settings.servers.addQuery')} />
      <TextSetting at="endpoints.fingerprint" form={form} part="fingerprint" maxLength={200} />
      <TraitSettings form={form} />
    </details>
  );
}

/** Appears only after a test has shown the certificate. */
function TrustCertificateButton({ form }: { readonly form: EndpointForm }) {
  const { t } = useTranslation();
  const { setup } = useActions();
  const shown = useUiState(({ settingsUi }) => {
    const { of, result } = settingsUi.verdict ?? {};
    return of === endpointFormId && result?.ok === false ? result.fingerprint : undefined;
  });
  if (shown === undefined || shown === form.fingerprint) return null;
  return (
    <Button
      ref={passFocusOn}
      onClick={() => {
        setup.fillIn({ fingerprint: shown });
        // Otherwise the verdict would disappear, and no other change would be visible.
        void setup.testForm();
      }}
    >
      {t('settings.servers.trust')}
    </Button>
  );
}

function RemoveButton({ profile }: { readonly profile: EndpointProfile }) {
  const { t } = useTranslation();
  const { setup, removal } = useActions();
  const server = useUiState(({ settings }) => settings?.endpoints);
  const { id, name } = profile;
  const remove = (): void => {
    const next = server?.chosen === id ? server.list.find((each) => each.id !== id)?.id : undefined;
    const choose = (chosen: string) => setup.choose('endpoints.list', { endpoints: { chosen } });
    setup.closeForm();
    if (next !== undefined) void choose(next);
    removal.remove({
      keys: [`server ${id}`],
      message: t('shell.undo.removed', { title: name }),
      remove: () => setup.removeServer(id),
      restore: () => (next === undefined ? undefined : choose(id)),
    });
  };
  return (
    <Button kind="danger" onClick={remove}>
      {t('settings.servers.remove')}
    </Button>
  );
}

interface VerdictLineProps {
  /** A server id, or the form. */
  readonly of: string;
  readonly problem?: string | undefined;
}

/** The result of a server test: a summary, and the error. */
export function VerdictLine({ of, problem }: VerdictLineProps) {
  const { t } = useTranslation();
  const verdict = useUiState(({ settingsUi }) =>
    settingsUi.verdict?.of === of ? settingsUi.verdict.result : undefined,
  );
  const line = useRef<HTMLDivElement>(null);
  const hasResult = verdict !== undefined || problem !== undefined;
  useEffect(() => {
    // The form can be longer than the window.
    if (hasResult) line.current?.scrollIntoView({ block: 'nearest' });
  }, [hasResult]);
  return (
    <div ref={line} role="status" className="verdict" data-good={verdict?.ok}>
      {verdict !== undefined && <p>{verdictText(verdict, t)}</p>}
      {verdict?.ok === false && <p dir="auto">{errorText(t, verdict.error)}</p>}
      {problem !== undefined && <p dir="auto">{problem}</p>}
    </div>
  );
}

function verdictText(verdict: EndpointVerdict, t: TFunction): string {
  if (!verdict.ok) return t(`settings.verdicts.${verdict.kind}`);
  const { position, connectMs, firstMessageMs } = verdict;
  if (position !== undefined && position > 0) return t('settings.verdicts.queue', { position });
  const [connect, word] = [Math.round(connectMs), Math.round(firstMessageMs)];
  return t('settings.verdicts.good', { connect, word });
}
