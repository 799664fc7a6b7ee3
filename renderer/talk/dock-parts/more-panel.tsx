import { CassetteTape, Ellipsis, Hand, Pause, Play } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Panel } from '../../design/panel.tsx';
import { ClosingPanelButton } from '../../design/panel-button.tsx';
import { useTalkKeyName } from '../../keys/use-talk-key-name.ts';
import { useWindowKeySign } from '../../keys/use-window-key-sign.ts';
import { useActions, useUiState } from '../../store/use-app-context.ts';
import { CoughButton } from './cough-button.tsx';

/** What a talk needs now and then, one click away. */
export function MorePanel() {
  const { t } = useTranslation();
  return (
    <Panel
      name={t('talk.more')}
      side="top"
      trigger={
        <button type="button" className="icon-button">
          <Ellipsis strokeWidth={1.75} aria-hidden />
          <span className="label">{t('talk.more')}</span>
        </button>
      }
    >
      <div className="more">
        <Once />
        <TalkingModes />
      </div>
    </Panel>
  );
}

function Once() {
  const { t } = useTranslation();
  const { interrupt, setPaused } = useActions();
  const paused = useUiState(({ controls }) => controls.paused);
  const interruptKey = useWindowKeySign('interrupt');
  const pauseKey = useWindowKeySign('pause');
  return (
    <div className="more-once">
      <ClosingPanelButton
        icon={Hand}
        label={t('talk.interrupt')}
        keys={interruptKey}
        onClick={() => void interrupt()}
      />
      <ClosingPanelButton
        icon={paused ? Play : Pause}
        label={t(paused ? 'talk.resume' : 'talk.pause')}
        keys={pauseKey}
        onClick={() => void setPaused(!paused)}
      />
      <CoughButton />
      <KeepRecentButton />
    </div>
  );
}

/** Only where they are held: who has not asked for it has nothing in the way. */
function KeepRecentButton() {
  const { t } = useTranslation();
  const { history } = useActions();
  const held = useUiState(({ keeping }) => keeping.recent !== undefined);
  const key = useWindowKeySign('keepRecent');
  if (!held) return null;
  return (
    <ClosingPanelButton
      icon={CassetteTape}
      label={t('talk.keepRecent')}
      keys={key}
      title={t('talk.keepRecentHint')}
      onClick={() => void history.keepRecent()}
    />
  );
}

/** The radio buttons belong together by this name. */
const group = 'talking';
const modes = ['open', 'hold', 'tap', 'holdOrTap'] as const;

/** How one talks: with an open microphone, or with a key. */
function TalkingModes() {
  const { t } = useTranslation();
  const { setTalking } = useActions();
  const talking = useUiState(({ controls }) => controls.talking);
  const key = useTalkKeyName();
  return (
    <fieldset className="more-modes">
      <legend>{t('talk.talking')}</legend>
      {modes.map((mode) => (
        <label key={mode} className="more-mode">
          <input
            type="radio"
            name={group}
            checked={mode === talking}
            onChange={() => void setTalking(mode)}
          />
          {t(`talk.talkings.${mode}`, { key })}
        </label>
      ))}
    </fieldset>
  );
}
