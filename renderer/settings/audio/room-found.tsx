import { useTranslation } from 'react-i18next';
import { fillMessage } from '../../../shared/i18n/fill-message.ts';
import { roomAdvice, roomSentences } from '../../../shared/sound/room-judgement.ts';
import type { NoJudgement, RoomJudgement, RoomKept } from '../../../shared/sound/room-judgement.ts';
import { Button } from '../../design/button.tsx';
import { messagesOf } from '../../i18n/create-i18n.ts';
import { useActions, useUiState } from '../../store/use-app-context.ts';

interface FoundProps {
  readonly found: RoomJudgement | NoJudgement;
}

/** What was found of a room, in the sentences of the terminal, with the figures small beside. */
export function RoomFound({ found }: FoundProps) {
  const { i18n } = useTranslation();
  const texts = messagesOf(i18n).settings.sound.roomTest.judged;
  if (typeof found === 'string')
    return (
      <p className="verdict" data-good={false}>
        {fillMessage(texts[found], { who: 'Parley' })}
      </p>
    );
  const advice = roomAdvice(found);
  return (
    <>
      <ul className="room-test-found">
        {roomSentences(found, true, texts).map(({ words, figures }) => (
          <li key={words}>
            {words} {figures !== undefined && <small>{figures}</small>}
          </li>
        ))}
      </ul>
      {advice.length > 0 && (
        <ul className="room-test-advice">
          {advice.map((about) => (
            <li key={about}>{texts.advice[about]}</li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Where there is no judgement, there is nothing to keep. */
export function RoomFoundButtons({ found }: FoundProps) {
  const { t } = useTranslation();
  const { room } = useActions().setup;
  const keeping = useUiState(({ settingsUi }) => settingsUi.busy.includes('roomTest'));
  if (typeof found === 'string')
    return (
      <div className="room-test-buttons">
        <Button data-first onClick={() => void room.begin()}>
          {t('settings.sound.roomTest.again')}
        </Button>
        <Button onClick={() => void room.cancel()}>{t('settings.sound.roomTest.done')}</Button>
      </div>
    );
  return (
    <>
      <p className="row-hint" dir="auto">
        {t('settings.sound.roomTest.unkept')}
      </p>
      <div className="room-test-buttons">
        <Button data-first aria-disabled={keeping} onClick={() => void room.keep()}>
          {t('settings.sound.roomTest.keep')}
        </Button>
        <Button onClick={() => void room.throwAway()}>
          {t('settings.sound.roomTest.throwAway')}
        </Button>
      </div>
    </>
  );
}

interface KeptProps {
  readonly where: RoomKept;
}

export function RoomKeptWords({ where }: KeptProps) {
  const { t } = useTranslation();
  if (where.kind === 'unplaced') return null;
  return (
    <p className="room-test-kept">
      {where.kind === 'download'
        ? t('export.downloaded', { name: where.name })
        : t('settings.sound.roomTest.kept', { path: where.path })}
    </p>
  );
}

/** A browser has its own way to what it has saved. */
export function RoomKeptButtons({ where }: KeptProps) {
  const { t } = useTranslation();
  const { room } = useActions().setup;
  return (
    <div className="room-test-buttons">
      {where.kind === 'folder' && (
        <Button onClick={() => void room.showFolder()}>{t('export.folder')}</Button>
      )}
      <Button data-first onClick={() => void room.cancel()}>
        {t('settings.sound.roomTest.done')}
      </Button>
    </div>
  );
}
