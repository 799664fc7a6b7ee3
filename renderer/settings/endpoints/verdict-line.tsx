import type { TFunction } from 'i18next';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { EndpointVerdict } from '../../../shared/settings/endpoint-verdict.ts';
import { errorText } from '../../parts/error-text.ts';
import { useUiState } from '../../store/use-app-context.ts';

interface Props {
  /** Whose verdict. */
  readonly of: string;
  readonly problem?: string | undefined;
}

/** How the test of a server went: what it means in a word, and the reason as it was found. */
export function VerdictLine({ of, problem }: Props) {
  const { t } = useTranslation();
  const verdict = useUiState(({ settingsUi }) =>
    settingsUi.verdict?.of === of ? settingsUi.verdict.is : undefined,
  );
  const place = useRef<HTMLDivElement>(null);
  const told = verdict !== undefined || problem !== undefined;
  useEffect(() => {
    // A form may be longer than the window: what was asked for is seen.
    if (told) place.current?.scrollIntoView({ block: 'nearest' });
  }, [told]);
  return (
    <div ref={place} role="status" className="verdict" data-good={verdict?.ok}>
      {verdict !== undefined && <p>{shortly(verdict, t)}</p>}
      {verdict?.ok === false && <p dir="auto">{errorText(t, verdict.error)}</p>}
      {problem !== undefined && <p dir="auto">{problem}</p>}
    </div>
  );
}

function shortly(verdict: EndpointVerdict, t: TFunction): string {
  if (!verdict.ok) return t(`settings.verdicts.${verdict.kind}`);
  const { position, connectMs, wordMs } = verdict;
  if (position !== undefined && position > 0) return t('settings.verdicts.queue', { position });
  const [connect, word] = [Math.round(connectMs), Math.round(wordMs)];
  return t('settings.verdicts.good', { connect, word });
}
