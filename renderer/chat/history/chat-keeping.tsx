import { useTranslation } from 'react-i18next';
import type { PrivacySettings } from '../../../shared/settings/settings-groups.ts';
import { Button } from '../../design/button.tsx';
import { useActions, useUiState } from '../../store/use-app-context.ts';

/** Whether the conversations are kept, and for how long, where that can be changed. */
export function ChatKeeping() {
  const { t } = useTranslation();
  const { changeSettings, openSettings } = useActions();
  const privacy = useUiState(({ settings }) => settings?.privacy);
  if (privacy === undefined) return null;
  if (!privacy.keepChats)
    return (
      <div className="history-keeping">
        <p>{t('chat.list.notKept')}</p>
        <Button kind="quiet" onClick={() => void changeSettings({ privacy: { keepChats: true } })}>
          {t('chat.list.keep')}
        </Button>
      </div>
    );
  if (privacy.days === 'forever') return null;
  return (
    <div className="history-keeping">
      <HowLong days={privacy.days} />
      <Button
        kind="quiet"
        onClick={() => {
          openSettings('privacy');
        }}
      >
        {t('history.privacy')}
      </Button>
    </div>
  );
}

function HowLong({ days }: Pick<PrivacySettings, 'days'>) {
  const { t } = useTranslation();
  const names: Readonly<Record<string, string>> = t('settings.privacy.days', {
    returnObjects: true,
  });
  const howLong = names[String(days)] ?? t('settings.privacy.otherDays', { days });
  return <p>{t('chat.list.keptFor', { howLong })}</p>;
}
