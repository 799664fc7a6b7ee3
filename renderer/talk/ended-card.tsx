import { reasonOf } from '../../shared/errors/session-reasons.ts';
import { useTranslation } from 'react-i18next';
import type { TalkEnded } from '../../shared/talk/talk-state.ts';
import { Button } from '../design/button.tsx';
import { useActions, useAppContext, useUiState } from '../store/use-app-context.ts';
import { endingTitle } from './ending-title.ts';
import { shownPhrases } from './own-words/shown-phrases.ts';
import { KeepQuestion } from './keep-question.tsx';
import { errorText } from '../parts/error-text.ts';

/** How it ended, what to do, and one way on that is offered before the others. */
export function EndedCard({ state: { ending, offer } }: { readonly state: TalkEnded }) {
  const { t } = useTranslation();
  const { shows } = useAppContext();
  const said = useUiState(
    ({ captions, ownWords }) => captions.length > 0 || shownPhrases(ownWords).length > 0,
  );
  return (
    <div className="card" data-compact={said}>
      <h1>{t(`talk.ended.${endingTitle(ending, offer)}`)}</h1>
      {ending.by !== 'client' && <p dir="auto">{errorText(t, ending.error)}</p>}
      {shows === 'talk' && <WaysOn ending={ending} offer={offer} />}
      {shows === 'talk' && <KeepQuestion />}
      <details className="card-details">
        <summary>{t('talk.ended.details')}</summary>
        <p>{t('talk.ended.detail', { reason: reasonOf(ending.error) })}</p>
        {shows === 'talk' && !ending.orderly && <ReportButton />}
      </details>
    </div>
  );
}

/** Of the talk that went wrong; where its text is not kept, of the last one that has a tape. */
function ReportButton() {
  const { t } = useTranslation();
  const { reporting } = useActions();
  const kept = useUiState(({ keeping: { talk } }) => (talk.kind === 'kept' ? talk.id : undefined));
  return (
    <Button
      kind="quiet"
      onClick={() => {
        reporting.open(kept === undefined ? { kind: 'last' } : { kind: 'talk', id: kept });
      }}
    >
      {t('report.action')}
    </Button>
  );
}

function WaysOn({ ending, offer }: Omit<TalkEnded, 'phase'>) {
  const { t } = useTranslation();
  const { goOn, start, openSettings } = useActions();
  const mode = useUiState(({ facts }) => facts?.mode ?? 'audio');
  const again = t(offer === 'none' ? 'talk.ended.anew' : 'talk.ended.again');
  return (
    <div className="card-buttons">
      {offer === 'continue' ? (
        <>
          <Button kind="strong" onClick={() => void goOn('transcript')}>
            {t('talk.ended.goOn')}
          </Button>
          <Button onClick={() => void goOn('nothing')}>{t('talk.ended.goOnAfresh')}</Button>
        </>
      ) : (
        <Button kind="strong" onClick={() => void start(mode)}>
          {again}
        </Button>
      )}
      {(offer === 'checkEndpoint' || offer === 'checkToken') && (
        <Button
          onClick={() => {
            openSettings('endpoints');
          }}
        >
          {t(`talk.ended.${offer}`)}
        </Button>
      )}
      {offer === 'none' && ending.by === 'client' && (
        <Button onClick={() => void goOn('transcript')}>{t('talk.ended.goOn')}</Button>
      )}
    </div>
  );
}
