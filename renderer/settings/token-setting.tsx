import { useTranslation } from 'react-i18next';
import type { ShownProfile } from '../../shared/settings/shown-profile.ts';
import { Button } from '../design/button.tsx';
import { formId } from '../store/settings-room.ts';
import type { EndpointForm } from '../store/endpoint-form.ts';
import { useActions, useView } from '../store/use-desk.ts';
import { Setting } from './setting.tsx';

interface Props {
  readonly form: EndpointForm;
  readonly profile: ShownProfile | undefined;
}

/** A token goes in and never comes out: what is there is only said, with how it is guarded. */
export function TokenSetting({ form, profile }: Props) {
  const { t } = useTranslation();
  const { setup } = useActions();
  const tokensAre = useView(({ room }) => room.tokensAre);
  const kept = profile?.hasToken === true;
  return (
    <Setting at="endpoints.token" field={`${formId}.token`} wide>
      {(aria) => (
        <>
          <input
            {...aria}
            type="password"
            className="text-field"
            autoComplete="off"
            maxLength={16_384}
            value={form.token}
            onChange={({ target }) => {
              setup.fillIn({ token: target.value.trim() });
            }}
          />
          <p className="row-hint">
            {t(kept ? 'settings.servers.tokenKept' : 'settings.servers.tokenNone')}
          </p>
          {tokensAre !== undefined && (
            <p className="row-hint">{t(`settings.servers.guarded.${tokensAre}`)}</p>
          )}
          {kept && (
            <Button onClick={() => void setup.forgetToken(profile.id)}>
              {t('settings.servers.forget')}
            </Button>
          )}
        </>
      )}
    </Setting>
  );
}
