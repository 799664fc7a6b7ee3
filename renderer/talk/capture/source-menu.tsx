import { Camera, MonitorUp } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Menu, MenuChoice } from '../../design/menu.tsx';
import { useActions, useUiState } from '../../store/use-app-context.ts';

const anyCamera = 'camera:';

/** Where the pictures come from. */
export function SourceMenu() {
  const { t } = useTranslation();
  const { showCamera, pick, refreshCameras } = useActions();
  const source = useUiState(({ visionUi }) => visionUi.source);
  const cropped = useUiState(({ visionUi }) => visionUi.crop !== undefined);
  const cameras = useUiState(({ visionUi }) => visionUi.cameras);
  const used = useUiState(({ capture }) => (capture.state === 'open' ? capture.label : ''));
  const named = cameras.map(({ label }) => label).filter((label) => label !== '');
  const several = new Set(named).size > 1;
  const choices = {
    ...(several
      ? Object.fromEntries(named.map((label) => [`${anyCamera}${label}`, label]))
      : { [anyCamera]: t('talk.capture.sources.camera') }),
    screen: t('talk.capture.sources.screen'),
    window: t('talk.capture.sources.window'),
    region: t('talk.capture.sources.region'),
  };
  const shared = source.kind === 'screen' && cropped ? 'region' : source.kind;
  const value = source.kind === 'camera' ? `${anyCamera}${several ? used : ''}` : shared;
  const choose = (choice: string): void => {
    if (choice.startsWith(anyCamera)) void showCamera(choice.slice(anyCamera.length));
    else if (choice === 'screen' || choice === 'window' || choice === 'region') void pick(choice);
  };
  const Icon = source.kind === 'camera' ? Camera : MonitorUp;
  return (
    <Menu
      opened={() => void refreshCameras()}
      trigger={
        <button type="button" className="icon-button" aria-label={t('talk.capture.source')}>
          <Icon strokeWidth={1.75} aria-hidden />
        </button>
      }
    >
      <MenuChoice name={t('talk.capture.source')} value={value} choices={choices} choose={choose} />
    </Menu>
  );
}
