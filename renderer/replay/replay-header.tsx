import { Download, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { TFunction } from 'i18next';
import type { ReplayOrigin } from '../../shared/replay/replay-view.ts';
import { IconButton } from '../design/icon-button.tsx';
import { useActions, useUiState } from '../store/use-app-context.ts';
import { replayKeySigns } from './replay-keys.ts';
import { useOpenReplay } from './use-open-replay.ts';

/** Says at once that this is no talk that goes on, and which one it was. */
export function ReplayHeader() {
  const { t, i18n } = useTranslation();
  const { replay, exporting } = useActions();
  const open = useUiState(({ replay }) => replay.kind === 'open');
  const origin = useUiState(({ replay }) => (replay.kind === 'none' ? undefined : replay.origin));
  const began = useOpenReplay(({ facts }) => facts.recordedAt) ?? '';
  const title = useOpenReplay(({ facts }) => facts.title);
  const when = recordedAt(t, began, i18n.language);
  const what = title ?? originName(t, origin, when);
  return (
    <header className="replay-head">
      <h1 className="replay-title">
        <span className="replay-mark">{t('replay.name')}</span>
        {what !== undefined && <span dir="auto">{what}</span>}
        {title !== undefined && when !== undefined && <span className="replay-when">{when}</span>}
      </h1>
      {open && (
        <IconButton
          icon={Download}
          label={t('export.action')}
          onClick={() => void exporting.open({ kind: 'replay' }, what ?? t('replay.name'))}
        />
      )}
      <IconButton
        icon={X}
        label={t('replay.close')}
        hint={replayKeySigns.close}
        onClick={() => void replay.close()}
      />
    </header>
  );
}

function originName(
  t: TFunction,
  origin: ReplayOrigin | undefined,
  when: string | undefined,
): string | undefined {
  if (origin?.kind === 'example') return t(`replay.examples.${origin.example}.name`);
  return when ?? (origin?.kind === 'file' ? origin.name : undefined);
}

/** Nothing where the tape does not say, or says nonsense. */
function recordedAt(t: TFunction, iso: string, language: string): string | undefined {
  const began = Date.parse(iso);
  if (Number.isNaN(began)) return undefined;
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'long' }).format(began);
  const clock = { hour: 'numeric', minute: '2-digit', hourCycle: 'h23' } as const;
  const time = new Intl.DateTimeFormat(language, clock).format(began);
  return t('replay.recordedAt', { day, time });
}
