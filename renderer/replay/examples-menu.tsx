import { Clapperboard, Mic, RefreshCw, Video } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { replayExamples } from '../../shared/replay/replay-view.ts';
import type { ReplayExample } from '../../shared/replay/replay-view.ts';
import { Button } from '../design/button.tsx';
import { Menu, MenuItem } from '../design/menu.tsx';
import { useActions } from '../store/use-app-context.ts';

const icons: Readonly<Record<ReplayExample, LucideIcon>> = {
  voice: Mic,
  video: Video,
  reconnect: RefreshCw,
};

/** The talks that come with Parley: a whole conversation for somebody without server, microphone or network. */
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
          run={() => void replay.open({ kind: 'example', example })}
        >
          {t(`replay.examples.${example}.name`)}
        </MenuItem>
      ))}
    </Menu>
  );
}
