import { Plus } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type EndpointProfile, isBuiltIn } from '../../../shared/settings/connection-settings.ts';
import { useActions, useUiState } from '../../app/app-context.ts';
import { Button, handleSubmit, passFocusOn, Segments, TextInput } from '../../design/controls.tsx';
import { serverName } from '../../i18n/format.ts';
import {
  RadioChoice,
  Setting,
  useFieldProblem,
  useIsBusy,
  useSettingsGroup,
} from '../controls/setting.tsx';
import { LocalModelPanel } from './local-model-panel.tsx';
import { SecretStorageHint } from './endpoint-form-fields.tsx';
import { EndpointFormView, VerdictLine } from './endpoint-form-view.tsx';
import '../assistant/assistant.css';
import './endpoints.css';

export function EndpointsSection() {
  const { t } = useTranslation();
  const { setup } = useActions();
  const { chosen, list } = useSettingsGroup('endpoints');
  const form = useUiState(({ settingsUi }) => settingsUi.form);
  const removed = useUiState(({ removed }) => removed?.keys);
  useEffect(() => void setup.readSecretStorage(), [setup]);
  return (
    <>
      <h1>{t('settings.sections.endpoints')}</h1>
      <Setting at="endpoints.list" wide>
        {(aria) => (
          <div className="servers" role="radiogroup" {...aria}>
            {builtInFirst(list).map((profile) =>
              removed?.has(`server ${profile.id}`) === true ? null : form?.id === profile.id ? (
                <div key={profile.id} ref={passFocusOn}>
                  <EndpointFormView form={form} profile={profile} />
                </div>
              ) : (
                <Server key={profile.id} profile={profile} chosen={profile.id === chosen} />
              ),
            )}
          </div>
        )}
      </Setting>
      {form !== undefined && !list.some(({ id }) => id === form.id) && (
        <div ref={passFocusOn}>
          <EndpointFormView form={form} />
        </div>
      )}
      {form === undefined && (
        <Button
          icon={<Plus aria-hidden />}
          onClick={({ detail: clicks }) => {
            // After a double click on Save, this button is under the pointer and gets the second click.
            if (clicks < 2) setup.addServer();
          }}
        >
          {t('settings.servers.add')}
        </Button>
      )}
      <ProxySetting />
    </>
  );
}

function builtInFirst(list: readonly EndpointProfile[]): readonly EndpointProfile[] {
  return list.toSorted((one, other) => Number(isBuiltIn(other)) - Number(isBuiltIn(one)));
}

interface ServerProps {
  readonly profile: EndpointProfile;
  readonly chosen: boolean;
}

function Server({ profile, chosen }: ServerProps) {
  const { t } = useTranslation();
  const { setup } = useActions();
  const { id, url, kind, hasToken } = profile;
  const isBuiltInServer = isBuiltIn(profile);
  const name = isBuiltInServer ? serverName(t, profile.name) : profile.name;
  const testing = useIsBusy(`server.${id}`);
  const problem = useFieldProblem(`server.${id}`);
  const test = t(testing ? 'settings.servers.testing' : 'settings.servers.test');
  const more = [
    ...(kind === 'embedded' ? [t('settings.servers.demonstrationHint')] : []),
    ...(kind === 'computer' ? [t('model.hint')] : []),
    // A server without a name shows its address as the name.
    ...(isBuiltInServer || url === name ? [] : [url]),
    ...(hasToken ? [t('settings.servers.hasToken')] : []),
  ].join(' · ');
  return (
    <div className="server">
      <RadioChoice
        group="server"
        title={name}
        hints={[more]}
        chosen={chosen}
        onChoose={() => void setup.choose('endpoints.list', { endpoints: { chosen: id } })}
      />
      <div className="server-tools button-row">
        <Button
          aria-label={t('shell.under', { what: test, which: name })}
          aria-disabled={testing}
          onClick={() => void setup.testServer(id)}
        >
          {test}
        </Button>
        {!isBuiltInServer && (
          <Button
            aria-label={t('shell.under', { what: t('buttons.edit'), which: name })}
            onClick={() => setup.editServer(id)}
          >
            {t('buttons.edit')}
          </Button>
        )}
      </div>
      <VerdictLine of={id} problem={problem} />
      {kind === 'computer' && chosen && <LocalModelPanel />}
    </div>
  );
}

/** Proxy choice. An address takes effect only when saved, because partial addresses are invalid. */
function ProxySetting() {
  const { t } = useTranslation();
  const { setup } = useActions();
  const { way, address } = useSettingsGroup('proxy');
  const [filling, setFilling] = useState(false);
  return (
    <div className="proxy">
      <Setting at="endpoints.proxy" wide>
        {(aria) => (
          <Segments
            {...aria}
            value={filling ? 'address' : way}
            choices={t('settings.servers.proxyWays', { returnObjects: true })}
            onChoose={(way) => {
              const unknown = way === 'address' && address === '';
              setFilling(unknown);
              if (!unknown) void setup.choose('endpoints.proxy', { proxy: { way } });
            }}
          />
        )}
      </Setting>
      {(filling || way === 'address') && (
        <ProxyAddress key={address} onSaved={() => setFilling(false)} />
      )}
    </div>
  );
}

/** The same example as in the error text. */
const example = 'http://proxy.example:3128';

function ProxyAddress({ onSaved }: { readonly onSaved: () => void }) {
  const { t } = useTranslation();
  const { setup } = useActions();
  const { address, hasLogin } = useSettingsGroup('proxy');
  const isBusy = useIsBusy('endpoints.proxyAddress');
  const [draft, setDraft] = useState({ address, name: '', password: '' });
  const inAddress = withoutLogin(draft.address) !== draft.address;
  const hasSecret = hasLogin || draft.password !== '' || inAddress;
  const fill = (part: Partial<typeof draft>): void =>
    setDraft((before) => ({ ...before, ...part }));
  const save = async (): Promise<void> => {
    if (!(await setup.saveProxy(draft))) return;
    // Clears the login, also in the address.
    setDraft(({ address }) => ({ address: withoutLogin(address), name: '', password: '' }));
    onSaved();
  };
  return (
    <Setting at="endpoints.proxyAddress" wide>
      {(aria) => (
        <form className="proxy-form" noValidate onSubmit={handleSubmit(save)}>
          <TextInput
            {...aria}
            dir="ltr"
            maxLength={2000}
            placeholder={example}
            value={draft.address}
            onWrite={(text) => fill({ address: text })}
          />
          <LoginField what="Name" value={draft.name} onWrite={(name) => fill({ name })} />
          <LoginField
            what="Password"
            value={draft.password}
            onWrite={(password) => fill({ password })}
          />
          {hasLogin && <p className="row-hint">{t('settings.servers.proxyLoginKept')}</p>}
          {hasSecret && <SecretStorageHint />}
          <div className="server-buttons button-row">
            <Button kind="strong" type="submit" aria-disabled={isBusy}>
              {t('settings.servers.proxySave')}
            </Button>
            {hasLogin && (
              <Button onClick={() => void setup.forgetProxyLogin()}>
                {t('settings.servers.proxyForget')}
              </Button>
            )}
          </div>
        </form>
      )}
    </Setting>
  );
}

interface LoginFieldProps {
  readonly what: 'Name' | 'Password';
  readonly value: string;
  readonly onWrite: (value: string) => void;
}

/** A login field with its label as placeholder. */
function LoginField({ what, value, onWrite }: LoginFieldProps) {
  const { t } = useTranslation();
  const label = t(`settings.servers.proxy${what}`);
  return (
    <TextInput
      type={what === 'Password' ? 'password' : 'text'}
      aria-label={label}
      placeholder={label}
      maxLength={255}
      value={value}
      onWrite={onWrite}
    />
  );
}

function withoutLogin(address: string): string {
  return address.replace(/\/\/.*@/u, '//');
}
