import { useTranslation } from 'react-i18next';
import { embeddedId } from '../../../shared/settings/endpoint-profile.ts';
import { ExamplesMenu } from '../../replay/examples-menu.tsx';
import { useUiState } from '../../store/use-app-context.ts';
import { SessionLength } from '../session-length.tsx';
import { IdleLevel } from './idle-level.tsx';
import { MicrophoneMenu } from './microphone-menu.tsx';
import { RecentTalks } from './recent-talks.tsx';
import { ServerMenu } from './server-menu.tsx';
import { TalkingMenu } from './talking-menu.tsx';
import './idle.css';

/** What stands on the stage before a talk: with whom and through what it will be, and the ones before it. */
export function IdleCard() {
  const { t } = useTranslation();
  const chosen = useUiState(({ settings }) => settings?.endpoints.chosen);
  const demonstrates = chosen === embeddedId;
  const known = useUiState(({ settings }) => settings !== undefined);
  return (
    <div className="card">
      <h1>{t('talk.idle.title')}</h1>
      <p>{t(demonstrates ? 'talk.idle.demonstration' : 'talk.idle.text')}</p>
      {known && (
        <div className="idle-choices">
          <ServerMenu />
          <MicrophoneMenu />
          <TalkingMenu />
          <IdleLevel />
        </div>
      )}
      <SessionLength key={chosen} />
      <RecentTalks />
      <div className="card-buttons card-more">
        <ExamplesMenu />
      </div>
    </div>
  );
}
