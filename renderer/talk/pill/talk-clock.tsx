import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAppContext, useUiState } from '../../store/use-app-context.ts';
import { clockTime } from '../use-countdown.ts';

/** How long the talk has been live. It renders by itself, once a second, and nothing around it. */
export function TalkClock() {
  const { t } = useTranslation();
  const { now } = useAppContext();
  const since = useUiState(({ liveSince }) => liveSince);
  const [, tick] = useState(0);
  const passed = since === undefined ? undefined : Math.max(0, now() - since);
  useEffect(() => {
    if (passed === undefined) return undefined;
    const timer = setTimeout(
      () => {
        tick((count) => count + 1);
      },
      1000 - (passed % 1000),
    );
    return () => {
      clearTimeout(timer);
    };
  });
  if (passed === undefined) return null;
  const time = clockTime(passed / 1000);
  return (
    <span className="talk-clock" role="timer" aria-label={t('aroundTalk.pill.time', { time })}>
      {time}
    </span>
  );
}
