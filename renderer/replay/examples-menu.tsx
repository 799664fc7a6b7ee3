import { Clapperboard, type LucideIcon, Mic, RefreshCw, Video } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { type ReplayExample, replayExamples } from '../../shared/recordings/replay-view.ts';
import { useActions } from '../app/app-context.ts';
import { Button } from '../design/controls.tsx';
import { Menu, MenuItem } from '../design/layers.tsx';

const icons: Readonly<Record<ReplayExample, LucideIcon>> = {
  voice: Mic,
  video: Video,
  reconnect: RefreshCw,
};

/** The example talks that ship with Parley; they need no server, microphone or network. */
export function ExamplesMenu() {
  const { t } = useTranslation();
  const { replay } = useActions();
  return (
    <Menu
      trigger={
        <Button kind="quiet" icon={<Clapperboard aria-hidden />}>
          {t('replay.examples.see')}
        </Button>
      }
    >
      {replayExamples.map((example) => (
        <MenuItem
          key={example}
          icon={icons[example]}
          onSelect={() => void replay.open({ kind: 'example', example })}
        >
          {t(`replay.examples.${example}.name`)}
        </MenuItem>
      ))}
    </Menu>
  );
}
