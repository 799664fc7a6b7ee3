import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { defaultSettings } from '../../../shared/settings/default-settings.ts';
import type { GlobalKeyState, GlobalKeyView } from '../../../shared/talk/global-key-view.ts';
import { globalKeyOff } from '../../../shared/talk/global-key-view.ts';
import { Button } from '../../design/button.tsx';
import { keyName } from '../../keys/key-name.ts';
import { errorText } from '../../parts/error-text.ts';
import { useActions, useUiState } from '../../store/use-app-context.ts';
import { Setting } from '../controls/setting.tsx';
import { SwitchSetting } from '../controls/setting-controls.tsx';
import { useSettingsGroup } from '../controls/use-settings-group.ts';
import { KeyRecorder } from './key-recorder.tsx';

/** The talk key that works in every program: whether, which, how it stands, and whether it arrives. */
export function GlobalKeyRows() {
  const { t } = useTranslation();
  const { everywhere, globalKey } = useSettingsGroup('talking');
  const { setup } = useActions();
  useEffect(() => {
    void setup.readGlobalKey();
  }, [setup]);
  const names = t('keys', { returnObjects: true });
  return (
    <>
      <SwitchSetting
        at="talking.everywhere"
        value={everywhere}
        patch={(everywhere) => ({ talking: { everywhere } })}
      />
      {everywhere && (
        <>
          <KeyRecorder
            at="talking.globalKey"
            owner="global"
            value={globalKey}
            defaultValue={defaultSettings.talking.globalKey}
            signs={globalKey === 'none' ? [] : [keyName(globalKey, names)]}
          />
          <GlobalKeyTest />
        </>
      )}
    </>
  );
}

function GlobalKeyTest() {
  const { setup } = useActions();
  const { t } = useTranslation();
  const view = useUiState(({ globalKey }) => globalKey) ?? globalKeyOff;
  const { mode, globalKey } = useSettingsGroup('talking');
  const running = useUiState(({ settingsUi }) => settingsUi.busy.includes('globalKeyTest'));
  const active = view.state.kind === 'active';
  return (
    <Setting at="talking.globalTest" wide>
      {(aria) => (
        <div className="global-key">
          <StateLine view={view} />
          {mode === 'open' && <p className="row-hint">{t('settings.globalKey.open')}</p>}
          {view.state.kind === 'unavailable' && (
            <Button onClick={() => void setup.retryGlobalKey()}>
              {t('settings.globalKey.again')}
            </Button>
          )}
          {active && (
            <Button
              aria-describedby={aria['aria-describedby']}
              aria-disabled={running}
              onClick={() => void setup.testGlobalKey(globalKey)}
            >
              {t('settings.globalKey.test')}
            </Button>
          )}
          {active && <TestLine running={running} />}
        </div>
      )}
    </Setting>
  );
}

/** In words which backend hears it, or why none does. */
function StateLine({ view: { state, seen } }: { readonly view: GlobalKeyView }) {
  const { t, i18n } = useTranslation();
  const time = seen && new Date(seen.at).toLocaleTimeString(i18n.language, { hourCycle: 'h23' });
  return (
    <>
      <p className="verdict" role="status" data-good={goodness[state.kind]} dir="auto">
        {wordsOf(state)}
      </p>
      {time !== undefined && <p className="row-hint">{t('settings.globalKey.seen', { time })}</p>}
    </>
  );

  function wordsOf(now: GlobalKeyState): string {
    switch (now.kind) {
      case 'off':
      case 'starting':
        return t(`settings.globalKey.states.${now.kind}`);
      case 'retrying':
        return t('settings.globalKey.states.retrying', { seconds: Math.ceil(now.inMs / 1000) });
      case 'active':
        return t(`settings.globalKey.methods.${now.method}`);
      case 'unavailable':
        return errorText(t, now.error);
    }
  }
}

const goodness: Readonly<Partial<Record<GlobalKeyState['kind'], boolean>>> = {
  active: true,
  unavailable: false,
};

function TestLine({ running }: { readonly running: boolean }) {
  const { t } = useTranslation();
  const { globalKey } = useSettingsGroup('talking');
  const result = useUiState(({ settingsUi: { globalKeyTest: test } }) =>
    test?.key === globalKey ? test.result : undefined,
  );
  const key = keyName(globalKey, t('keys', { returnObjects: true }));
  return (
    <p
      className="verdict"
      role="status"
      data-good={running ? undefined : result?.arrived}
      dir="auto"
    >
      {running && t('settings.globalKey.press', { key })}
      {!running &&
        result?.arrived === true &&
        t('settings.globalKey.arrived', { ms: Math.round(result.ms) })}
      {!running && result?.arrived === false && t('settings.globalKey.silent')}
    </p>
  );
}
