import { useTranslation } from 'react-i18next';
import { replaySpeeds } from '../../shared/replay/replay-view.ts';
import { Menu, MenuChoice } from '../design/menu.tsx';
import { useActions } from '../store/use-app-context.ts';
import { useOpenReplay } from './use-open-replay.ts';

/** How fast, with what it is at the moment on its button. */
export function SpeedMenu() {
  const { t, i18n } = useTranslation();
  const { replay } = useActions();
  const speed = useOpenReplay(({ play }) => play.speed) ?? 1;
  const text = (one: number): string =>
    t('replay.times', { speed: new Intl.NumberFormat(i18n.language).format(one) });
  const choices: Readonly<Record<string, string>> = Object.fromEntries(
    replaySpeeds.map((one) => [`${one}`, text(one)]),
  );
  return (
    <Menu
      side="top"
      trigger={
        <button
          type="button"
          className="button"
          data-kind="plain"
          aria-label={t('replay.speedIs', { speed: text(speed) })}
        >
          {text(speed)}
        </button>
      }
    >
      <MenuChoice
        name={t('replay.speed')}
        value={`${speed}`}
        choices={choices}
        choose={(chosen) => {
          const wanted = replaySpeeds.find((one) => `${one}` === chosen);
          if (wanted !== undefined) void replay.setSpeed(wanted);
        }}
      />
    </Menu>
  );
}
