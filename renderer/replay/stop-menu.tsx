import { ListFilter } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { replayStops } from '../../shared/replay/replay-view.ts';
import { Menu, MenuChoice } from '../design/menu.tsx';
import { useActions, useUiState } from '../store/use-app-context.ts';

/** What the steps go to. */
export function StopMenu() {
  const { t } = useTranslation();
  const { replay } = useActions();
  const stop = useUiState(({ replayStop }) => replayStop);
  const names = t('replay.stops', { returnObjects: true });
  return (
    <Menu
      side="top"
      trigger={
        <button type="button" className="icon-button" aria-label={t('replay.stop')}>
          <ListFilter strokeWidth={1.75} aria-hidden />
        </button>
      }
    >
      <MenuChoice
        name={t('replay.stop')}
        value={stop}
        choices={names}
        choose={(chosen) => {
          const wanted = replayStops.find((one) => one === chosen);
          if (wanted !== undefined) replay.setStop(wanted);
        }}
      />
    </Menu>
  );
}
