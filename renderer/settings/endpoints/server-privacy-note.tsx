import { useTranslation } from 'react-i18next';
import { publicServerUrl } from '../../../shared/settings/connection-settings.ts';
import { Button } from '../../design/button.tsx';
import './server-privacy-note.css';

interface Props {
  readonly address: string;
  readonly onChoose: (address: string) => void;
}

/** Privacy note for servers, and a button for the public server. */
export function ServerPrivacyNote({ address, onChoose }: Props) {
  const { t } = useTranslation();
  return (
    <div className="server-privacy-note">
      <p className="row-hint">{t('settings.servers.records')}</p>
      {address === '' && (
        <Button kind="quiet" onClick={() => onChoose(publicServerUrl)}>
          {t('settings.servers.publicServer')}
        </Button>
      )}
    </div>
  );
}
