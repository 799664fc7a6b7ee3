import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppError } from '../../shared/errors/app-error.ts';
import { sessionErrors } from '../../shared/errors/session-error-codes.ts';
import type { RecentHold } from '../../shared/history/talk-keeping.ts';
import { errorText } from '../parts/error-text.ts';
import { useActions } from '../store/use-app-context.ts';
import { Note } from './note.tsx';

/** Long enough to be read twice. */
const passingMs = 30_000;

/**
 * What went wrong in a talk. What the session got over is news for a while; what is lost of a person's own stays until
 * they put it away.
 */
export function TroubleNote({ trouble }: { readonly trouble: AppError }) {
  const { t } = useTranslation();
  const { dismissTrouble } = useActions();
  const passes = Object.hasOwn(sessionErrors, trouble.code);
  useEffect(() => {
    if (!passes) return undefined;
    const timer = setTimeout(() => {
      dismissTrouble(trouble);
    }, passingMs);
    return () => {
      clearTimeout(timer);
    };
  }, [passes, trouble, dismissTrouble]);
  return (
    <Note
      kind="bad"
      dismiss={() => {
        dismissTrouble(trouble);
      }}
    >
      {errorText(t, trouble)}
    </Note>
  );
}

/** Where the last two minutes are; the tape is in History after that. */
export function RecentNote({ recent }: { readonly recent: Extract<RecentHold, { kind: 'kept' }> }) {
  const { t } = useTranslation();
  const [over, setOver] = useState<string>();
  const { path, seconds } = recent;
  useEffect(() => {
    const timer = setTimeout(() => {
      setOver(path);
    }, passingMs);
    return () => {
      clearTimeout(timer);
    };
  }, [path]);
  if (over === path) return null;
  return (
    <Note
      kind="plain"
      dismiss={() => {
        setOver(path);
      }}
    >
      {t('talk.recentKept', { seconds })}
    </Note>
  );
}
