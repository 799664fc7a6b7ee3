import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { ownSoundWays } from '../../../shared/sound/own-sound.ts';
import type { OwnSoundWay } from '../../../shared/sound/own-sound.ts';
import { Button } from '../../design/button.tsx';
import { MicrophoneLevelBar } from '../../parts/microphone-level-bar.tsx';
import { ownSoundField } from '../../store/settings/settings-ui-state.ts';
import { useActions, useUiState } from '../../store/use-app-context.ts';
import { Setting } from '../controls/setting.tsx';
import { useFieldProblem } from '../controls/use-field-problem.ts';
import { useSettingsGroup } from '../controls/use-settings-group.ts';

const useIsBusy = (field: string): boolean =>
  useUiState(({ settingsUi }) => settingsUi.busy.includes(field));

/** One speaks for a few seconds, and hears it as the microphone does and as it goes out. */
export function OwnSoundTest() {
  const { t } = useTranslation();
  const { setup } = useActions();
  const verdict = useUiState(({ settingsUi }) => settingsUi.ownSound);
  const recording = useIsBusy('ownSound');
  useEffect(() => () => void setup.forgetOwnSound(), [setup]);
  return (
    <Setting at="audio.ownSound" field="ownSound" wide>
      {(aria) => (
        <>
          <Button
            aria-describedby={aria['aria-describedby']}
            aria-disabled={recording}
            onClick={() => void setup.recordOwnSound()}
          >
            {t(recording ? 'settings.sound.own.recording' : 'settings.sound.own.record')}
          </Button>
          {recording && <MicrophoneLevelBar label={t('settings.sound.level')} />}
          <p role="status" className="verdict" data-good={verdict === 'good'} dir="auto">
            {recording && t('settings.sound.own.recording')}
            {verdict !== undefined && t(`settings.sound.own.verdict.${verdict}`)}
          </p>
          {verdict !== undefined && verdict !== 'unheard' && <Playing />}
        </>
      )}
    </Setting>
  );
}

function Playing() {
  const { t } = useTranslation();
  const { noise, level, inputVolume } = useSettingsGroup('audio');
  const alike = noise === 'off' && level === 'off' && inputVolume === 1;
  return (
    <>
      {ownSoundWays.map((way) => (
        <PlayButton key={way} way={way} />
      ))}
      {alike && (
        <p className="row-hint" dir="auto">
          {t('settings.sound.own.alike')}
        </p>
      )}
    </>
  );
}

function PlayButton({ way }: { readonly way: OwnSoundWay }) {
  const { t } = useTranslation();
  const { setup } = useActions();
  const playing = useIsBusy(ownSoundField(way));
  const problem = useFieldProblem(ownSoundField(way));
  return (
    <>
      <Button aria-disabled={playing} onClick={() => void setup.playOwnSound(way)}>
        {t(`settings.sound.own.ways.${way}`)}
      </Button>
      <p role="status" className="row-hint" dir="auto">
        {playing && t('settings.sound.own.playing')}
      </p>
      <p className="row-problem" role="alert" dir="auto">
        {problem}
      </p>
    </>
  );
}
