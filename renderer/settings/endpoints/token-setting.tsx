import { useTranslation } from 'react-i18next';
import type { RedactedProfile } from '../../../shared/settings/redacted-profile.ts';
import { Button } from '../../design/button.tsx';
import { endpointFormId, isFieldWrong } from '../../store/settings/settings-ui-state.ts';
import type { EndpointForm } from '../../store/settings/endpoint-form.ts';
import { useActions, useUiState } from '../../store/use-app-context.ts';
import { Setting } from '../controls/setting.tsx';

interface Props {
  readonly form: EndpointForm;
  readonly profile: RedactedProfile | undefined;
}

/** How secrets are kept on this machine, as far as that is known by now. */
export function SecretGuard() {
  const { t } = useTranslation();
  const storage = useUiState(({ settingsUi }) => settingsUi.secretStorage);
  if (storage === undefined) return null;
  return <p className="row-hint">{t(`settings.servers.guarded.${storage}`)}</p>;
}

/** A token goes in and never comes out: what is there is only said, with how it is guarded. */
export function TokenSetting({ form, profile }: Props) {
  const { t } = useTranslation();
  const { setup } = useActions();
  const wrong = useUiState(({ settingsUi }) => isFieldWrong(settingsUi, 'token'));
  const stored = profile?.hasToken === true;
  return (
    <Setting at="endpoints.token" field={`${endpointFormId}.token`} wide>
      {(aria) => (
        <>
          <input
            {...aria}
            type="password"
            className="text-field"
            autoComplete="off"
            maxLength={16_384}
            aria-invalid={wrong}
            value={form.token}
            onChange={({ target }) => {
              setup.fillIn({ token: target.value.trim() });
            }}
          />
          <p className="row-hint">
            {t(stored ? 'settings.servers.tokenKept' : 'settings.servers.tokenNone')}
          </p>
          <SecretGuard />
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
