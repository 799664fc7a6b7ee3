import { Camera, MonitorUp } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Menu, MenuChoice } from '../design/menu.tsx';
import { useActions, useView } from '../store/use-desk.ts';

const anyCamera = 'camera:';

/** Where the pictures come from. */
export function SourceMenu() {
  const { t } = useTranslation();
  const { showCamera, pick, lookForCameras } = useActions();
  const source = useView(({ seeing }) => seeing.source);
  const cropped = useView(({ seeing }) => seeing.crop !== undefined);
  const cameras = useView(({ seeing }) => seeing.cameras);
  const used = useView(({ eye }) => (eye.state === 'open' ? eye.label : ''));
  const named = cameras.map(({ label }) => label).filter((label) => label !== '');
  const several = new Set(named).size > 1;
  const choices = {
    ...(several
      ? Object.fromEntries(named.map((label) => [`${anyCamera}${label}`, label]))
      : { [anyCamera]: t('talk.eye.sources.camera') }),
    screen: t('talk.eye.sources.screen'),
    window: t('talk.eye.sources.window'),
    region: t('talk.eye.sources.region'),
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
      opened={() => void lookForCameras()}
      trigger={
        <button type="button" className="icon-button" aria-label={t('talk.eye.source')}>
          <Icon strokeWidth={1.75} aria-hidden />
        </button>
      }
    >
      <MenuChoice name={t('talk.eye.source')} value={value} choices={choices} choose={choose} />
    </Menu>
  );
}
