import { reasonOf } from '../../../shared/errors/session-reasons.ts';
import { useTranslation } from 'react-i18next';
import type { TalkEnded, TalkEnding, TalkOffer } from '../../../shared/talk/talk-state.ts';
import { Button } from '../../design/button.tsx';
import { useActions, useAppContext, useUiState } from '../../store/use-app-context.ts';
import { endingTitle, isUnreached } from './ending-title.ts';
import { mayContinue } from './may-continue.ts';
import { useSomethingSaid } from '../use-something-said.ts';
import { KeepQuestion } from './keep-question.tsx';
import { refusingServer } from '../../store/talk/leave-out-action.ts';
import { SessionId } from './session-id.tsx';
import { errorText } from '../../parts/error-text.ts';

/** How it ended, what to do, and one way on that is offered before the others. */
export function EndedCard({ state: { ending, offer } }: { readonly state: TalkEnded }) {
  const { t } = useTranslation();
  const { shows } = useAppContext();
  const session = useUiState(({ facts }) => facts?.session?.id);
  const said = useSomethingSaid();
  const inspecting = useUiState(({ inspectorOpen }) => inspectorOpen);
  return (
    <div className="card" data-compact={said}>
      <h1>{t(`talk.ended.${endingTitle(ending, offer)}`)}</h1>
      {ending.by !== 'client' && <p dir="auto">{errorText(t, ending.error)}</p>}
      {shows === 'talk' && <WaysOn ending={ending} offer={offer} />}
      {shows === 'talk' && <KeepQuestion />}
      {/* Who replays a talk wants to know what happened, also where it ended in order. */}
      {(inspecting || shows === 'replay' || !ending.orderly) && (
        <details className="card-details">
          <summary>{t('talk.ended.details')}</summary>
          <p>{t('talk.ended.detail', { reason: reasonOf(ending.error) })}</p>
          {session !== undefined && session !== '' && <SessionId id={session} />}
          {shows === 'talk' && !ending.orderly && <ReportButton />}
        </details>
      )}
    </div>
  );
}

/** Of the talk that went wrong, and of no other one: where it has no tape, its sheet says so. */
function ReportButton() {
  const { t } = useTranslation();
  const { reporting } = useActions();
  return (
    <Button
      kind="quiet"
      onClick={() => {
        reporting.open({ kind: 'shown' });
      }}
    >
      {t('report.action')}
    </Button>
  );
}

/** What of the server is to be looked at: never reached, it may be written wrong. */
function checkOf(ending: TalkEnding, offer: TalkOffer): 'checkEndpoint' | 'checkToken' | undefined {
  if (offer === 'checkEndpoint' || offer === 'checkToken') return offer;
  return isUnreached(ending, offer) ? 'checkEndpoint' : undefined;
}

function WaysOn({ ending, offer }: Omit<TalkEnded, 'phase'>) {
  const { t } = useTranslation();
  const { goOn, start, leaveOut, openServer, putEndedAway } = useActions();
  const { error } = ending;
  const isLeaveable = useUiState((state) => refusingServer(state) !== undefined);
  const refused = isLeaveable && error.code === 'fieldRefused' ? error.facts.field : undefined;
  const mode = useUiState(({ facts }) => facts?.mode ?? 'audio');
  const check = checkOf(ending, offer);
  const again = t(offer === 'none' ? 'talk.ended.anew' : 'talk.ended.again');
  return (
    <div className="card-buttons">
      {refused !== undefined && (
        <Button kind="strong" onClick={() => void leaveOut(refused)}>
          {t('talk.ended.leaveOut')}
        </Button>
      )}
      {offer === 'continue' ? (
        <>
          <Button kind="strong" onClick={() => void goOn('transcript')}>
            {t('talk.ended.goOn')}
          </Button>
          <Button onClick={() => void goOn('nothing')}>{t('talk.ended.goOnAfresh')}</Button>
        </>
      ) : (
        <Button kind={refused === undefined ? 'strong' : 'plain'} onClick={() => void start(mode)}>
          {again}
        </Button>
      )}
      {check !== undefined && <Button onClick={openServer}>{t(`talk.ended.${check}`)}</Button>}
      {offer !== 'continue' && mayContinue({ ending, offer }) && (
        <Button onClick={() => void goOn('transcript')}>{t('talk.ended.goOn')}</Button>
      )}
      <Button kind="quiet" onClick={putEndedAway}>
        {t('talk.ended.done')}
      </Button>
    </div>
  );
}
