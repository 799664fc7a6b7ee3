import { CassetteTape, Copy, Ellipsis, Hand, Keyboard, Pause, Play } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Panel } from '../../design/panel.tsx';
import { ClosingPanelButton } from '../../design/panel-button.tsx';
import { useTalkKeyName } from '../../keys/use-talk-key-name.ts';
import { useWindowKeySign } from '../../keys/use-window-key-sign.ts';
import { copyText } from '../../parts/copy-text.ts';
import { useActions, useAppContext, useUiState } from '../../store/use-app-context.ts';
import { saidText } from '../captions/said-text.ts';
import { CoughButton } from './cough-button.tsx';
import { DeviceChoices } from './device-choices.tsx';
import { FoldedChoice } from './folded-choice.tsx';

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
        <div className="more-choices">
          <TalkingModes />
          <DeviceChoices />
        </div>
      </div>
    </Panel>
  );
}

const modes = ['open', 'hold', 'tap', 'holdOrTap'] as const;

function Once() {
  const { t } = useTranslation();
  const { interrupt, setPaused, typing } = useActions();
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
      <ClosingPanelButton
        icon={Keyboard}
        label={t('talk.typing.name')}
        onClick={() => {
          typing.setOpen(true);
        }}
      />
      <CopyButton />
      <KeepRecentButton />
    </div>
  );
}

/** All that was said so far; a part of it is marked and copied as anywhere. */
function CopyButton() {
  const { t } = useTranslation();
  const { store } = useAppContext();
  const none = useUiState(({ captions }) => captions.length === 0);
  if (none) return null;
  return (
    <ClosingPanelButton
      icon={Copy}
      label={t('talk.copy.name')}
      onClick={() => {
        const { captions, ownWords } = store.getState();
        const names = t('talk.copy.who', { returnObjects: true });
        copyText(saidText({ captions, phrases: ownWords.phrases }, names));
      }}
    />
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

/** How one talks: with an open microphone, or with a key. */
function TalkingModes() {
  const { t } = useTranslation();
  const { setTalking } = useActions();
  const talking = useUiState(({ controls }) => controls.talking);
  const key = useTalkKeyName();
  return (
    <FoldedChoice
      name={t('talk.talking')}
      value={talking}
      choices={modes.map((mode) => [mode, t(`talk.talkings.${mode}`, { key })] as const)}
      choose={(chosen) => {
        const mode = modes.find((each) => each === chosen);
        if (mode !== undefined) void setTalking(mode);
      }}
    />
  );
}
