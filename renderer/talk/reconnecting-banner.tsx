import { RefreshCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { TalkReconnecting } from '../../shared/talk/talk-state.ts';
import { Button } from '../design/button.tsx';
import { errorText } from '../parts/error-text.ts';
import { useActions, useAppContext, useUiState } from '../store/use-app-context.ts';
import { useCountdown } from './use-countdown.ts';

/** Above the words, which stay: what broke, when it is tried again, and a way not to wait for it. */
export function ReconnectingBanner({ state }: { readonly state: TalkReconnecting }) {
  const { t } = useTranslation();
  const { networkBack } = useActions();
  const { now, shows } = useAppContext();
  const at = useUiState(({ talkState }) => talkState.at);
  const { attempt, inMs, error } = state;
  const seconds = useCountdown(inMs / 1000, at, now) ?? 0;
  return (
    <section className="banner" aria-label={t('talk.phases.reconnecting')}>
      <RefreshCw strokeWidth={1.75} aria-hidden />
      <div className="banner-words">
        <h2>{t('talk.reconnecting.title')}</h2>
        <p dir="auto">{errorText(t, error)}</p>
        <p className="banner-when">
          {seconds > 0
            ? t('talk.reconnecting.again', { attempt, seconds })
            : t('talk.reconnecting.now', { attempt })}
        </p>
      </div>
      {shows === 'talk' && (
        <Button aria-disabled={seconds === 0} onClick={() => void networkBack()}>
          {t('talk.reconnecting.tryNow')}
        </Button>
      )}
    </section>
  );
}
