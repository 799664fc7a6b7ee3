import { useTranslation } from 'react-i18next';
import { Button } from '../design/button.tsx';
import { useActions, useUiState } from '../store/use-app-context.ts';
import { errorText } from '../parts/error-text.ts';
import { isAtEnd } from './replay-place.ts';
import { useOpenReplay } from './use-open-replay.ts';

/** What the person should know of the replay itself; most of the time nothing. */
export function ReplayNotes() {
  const { t } = useTranslation();
  const sound = useOpenReplay(({ play }) => play.sound);
  const ended = useOpenReplay(isAtEnd) ?? false;
  const cut = useOpenReplay(({ facts }) => facts.cut) ?? false;
  const damage = useOpenReplay(({ facts }) => facts.damage);
  // Nothing went wrong with it, and who watches wants to know at once.
  const stretch = damage?.code === 'tapeIsStretch';
  return (
    <div className="notes" role="status">
      {stretch && (
        <p className="note" data-kind="plain">
          {t('replay.stretch')}
        </p>
      )}
      {ended && !stretch && (cut || damage !== undefined) && (
        <p className="note" data-kind="warn">
          {damage === undefined ? t('replay.cut') : errorText(t, damage)}
        </p>
      )}
      {sound !== undefined && sound !== 'heard' && (
        <p className="note" data-kind="plain">
          {t(`replay.sounds.${sound}`)}
        </p>
      )}
    </div>
  );
}

/** A talk that goes on meanwhile is told of here, because none of it is seen. It has the sound for itself. */
export function TalkGoesOn() {
  const { t } = useTranslation();
  const { go } = useActions();
  const goesOn = useUiState(
    ({ talkState: { value } }) => value.phase !== 'idle' && value.phase !== 'ended',
  );
  if (!goesOn) return null;
  return (
    <div className="replay-talk" role="status">
      <p>{t('replay.talkGoesOn')}</p>
      <Button
        onClick={() => {
          go('talk');
        }}
      >
        {t('replay.toTalk')}
      </Button>
    </div>
  );
}
