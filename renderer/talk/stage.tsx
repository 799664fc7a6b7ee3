import { useTranslation } from 'react-i18next';
import { stageState } from '../store/talk/stage-state.ts';
import { useAppContext, useUiState } from '../store/use-app-context.ts';
import { CaptionList } from './captions/caption-list.tsx';
import { useSomethingSaid } from './use-something-said.ts';
import { EndedCard } from './ended/ended-card.tsx';
import { IdleCard } from './idle/idle-card.tsx';
import { ReconnectingBanner } from './reconnecting-banner.tsx';
import { ConnectingCard, EndingCard, QueueCard } from './ended/stage-cards.tsx';

/** What was said, or what there is to know while nobody says anything: of the talk, or of one that is played again. */
export function Stage() {
  const { t } = useTranslation();
  const { shows } = useAppContext();
  const state = useUiState(stageState);
  const said = useSomethingSaid();
  switch (state.phase) {
    case 'idle':
      return shows === 'talk' ? <IdleCard /> : <Silence text={t('replay.beginning')} />;
    case 'connecting':
      return <ConnectingCard />;
    case 'queued':
      return <QueueCard state={state} />;
    case 'reconnecting':
      return (
        <>
          <ReconnectingBanner state={state} />
          {said ? <CaptionStage /> : <h1 className="only-heard">{t('talk.title')}</h1>}
        </>
      );
    case 'ending':
      return said ? <CaptionStage /> : <EndingCard />;
    case 'ended':
      return (
        <>
          {said && <CaptionList />}
          <EndedCard state={state} />
        </>
      );
    case 'live':
      return said ? <CaptionStage /> : <LiveSilence />;
  }
}

function CaptionStage() {
  const { t } = useTranslation();
  return (
    <>
      <h1 className="only-heard">{t('talk.title')}</h1>
      <CaptionList />
    </>
  );
}

/** Nothing was said yet: whether Parley hears one at all is what one must be sure of. */
function LiveSilence() {
  const { t } = useTranslation();
  const { muted, paused } = useUiState(({ controls }) => controls);
  if (paused) return <Silence text={t('talk.captions.paused')} />;
  return <Silence text={t(muted ? 'talk.captions.muted' : 'talk.captions.none')} />;
}

function Silence({ text }: { readonly text: string }) {
  return <h1 className="stage-quiet">{text}</h1>;
}
