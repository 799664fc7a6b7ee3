import { Plus } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { RedactedProfile } from '../../../shared/settings/redacted-settings.ts';
import { useActions, useUiState } from '../../app/use-app-context.ts';
import { Button } from '../../design/button.tsx';
import { Setting } from '../controls/setting.tsx';
import { useFieldProblem, useSettingsGroup } from '../controls/use-settings.ts';
import { EndpointFormView, VerdictLine } from './endpoint-form-view.tsx';
import { ProxySetting } from './proxy-setting.tsx';
import '../assistant/assistant.css';
import './endpoints.css';

/** The servers: which one is talked to, whether it can be reached, and new ones. */
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
            {list.map((profile) =>
              removed?.has(`server ${profile.id}`) === true ? null : form?.id === profile.id ? (
                <div key={profile.id}>
                  <EndpointFormView form={form} profile={profile} />
                </div>
              ) : (
                <Server key={profile.id} profile={profile} chosen={profile.id === chosen} />
              ),
            )}
          </div>
        )}
      </Setting>
      {form !== undefined && form.id === undefined && <EndpointFormView form={form} />}
      {form === undefined && (
        <Button icon={<Plus aria-hidden />} onClick={setup.addServer}>
          {t('settings.servers.add')}
        </Button>
      )}
      <ProxySetting />
    </>
  );
}

/** The radio buttons belong together by this name. */
const group = 'server';

interface ServerProps {
  readonly profile: RedactedProfile;
  readonly chosen: boolean;
}

function Server({ profile, chosen }: ServerProps) {
  const { t } = useTranslation();
  const { setup } = useActions();
  const { id, url, kind, hasToken } = profile;
  const embedded = kind === 'embedded';
  const name = embedded ? t('settings.servers.demonstration') : profile.name;
  const testing = useUiState(({ settingsUi }) => settingsUi.busy.includes(`server.${id}`));
  const problem = useFieldProblem(`server.${id}`);
  const test = t(testing ? 'settings.servers.testing' : 'settings.servers.test');
  const more = [
    ...(embedded ? [t('settings.servers.demonstrationHint')] : []),
    // One without a name is called by its address.
    ...(embedded || url === name ? [] : [url]),
    ...(hasToken ? [t('settings.servers.hasToken')] : []),
  ].join(' · ');
  return (
    <div className="server">
      <label className="server-choice">
        <input
          type="radio"
          name={group}
          checked={chosen}
          onChange={() => void setup.choose('endpoints.list', { endpoints: { chosen: id } })}
        />
        <span>
          <span className="row-name" dir="auto">
            {name}
          </span>
          <span className="row-hint" dir="auto">
            {more}
          </span>
        </span>
      </label>
      <div className="server-tools">
        <Button
          aria-label={t('shell.under', { what: test, which: name })}
          aria-disabled={testing}
          onClick={() => void setup.testServer(id)}
        >
          {test}
        </Button>
        {!embedded && (
          <Button
            aria-label={t('shell.under', { what: t('settings.servers.edit'), which: name })}
            onClick={() => {
              setup.editServer(id);
            }}
          >
            {t('settings.servers.edit')}
          </Button>
        )}
      </div>
      <VerdictLine of={id} problem={problem} />
    </div>
  );
}
