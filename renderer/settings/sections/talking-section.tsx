import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { defaultSettings } from '../../../shared/settings/settings.ts';
import {
  formatChord,
  globalKeyOff,
  type GlobalKeyState,
  type GlobalKeyView,
  isChordPressed,
  isChordReleased,
  parseChord,
} from '../../../shared/talk/global-key.ts';
import { useActions, useUiState } from '../../app/app-context.ts';
import { selectTalkKey } from '../../app/page-style.ts';
import { Button } from '../../design/controls.tsx';
import { dateFormat, errorText } from '../../i18n/format.ts';
import { keyFault, useTalkKeyName, keyName } from '../../keys/window-keys.ts';
import {
  ChoiceSetting,
  Setting,
  SliderSetting,
  SwitchSetting,
  useIsBusy,
  useSettingsGroup,
} from '../controls/setting.tsx';
import { KeyRecorder, TalkKeyField } from '../keys/keys-section.tsx';

export function TalkingSection() {
  const { t } = useTranslation();
  return (
    <>
      <h1>{t('settings.sections.talking')}</h1>
      <ChoiceSetting at="talking.mode" wide />
      <SwitchSetting at="talking.startMuted" />
      <TalkKeyField />
      <TalkKeyTest />
      <GlobalKeyRows />
      <SwitchSetting at="talking.sounds" />
      <SwitchSetting at="talking.overlap" />
      <SliderSetting
        at="talking.shortMs"
        step={50}
        valueText={(value) => t('settings.talking.milliseconds', { value })}
      />
      <ChoiceSetting at="talking.longTalks" wide />
      <ChoiceSetting at="talking.answers" wide />
      <ChoiceSetting at="talking.yielding" wide />
    </>
  );
}

type SeenKey =
  | { readonly kind: 'nothing' | 'down' | 'arrived' }
  | { readonly kind: 'other'; key: string };

/** Shows whether the talk key reaches the window. */
function TalkKeyTest() {
  const talkKey = useUiState(selectTalkKey);
  return <KeyArrival key={talkKey} talkKey={talkKey} />;
}

function KeyArrival({ talkKey }: { readonly talkKey: string }) {
  const { t } = useTranslation();
  const key = useTalkKeyName();
  const [seen, setSeen] = useState<SeenKey>({ kind: 'nothing' });
  useEffect(() => {
    const chord = parseChord(talkKey);
    const listening = new AbortController();
    const { signal } = listening;
    const onKeyDown = (event: globalThis.KeyboardEvent): void => {
      if (event.repeat) return;
      // Space would scroll, and Alt would open the menu.
      if (event.target === document.body && isChordPressed(chord, event)) event.preventDefault();
      if (isChordPressed(chord, event)) setSeen({ kind: 'down' });
      else if (event.code !== 'Escape' && keyFault(event) === undefined)
        setSeen({ kind: 'other', key: formatChord(event) });
    };
    const onKeyUp = (event: globalThis.KeyboardEvent): void => {
      if (!isChordReleased(chord, event.code)) return;
      setSeen((before) => (before.kind === 'down' ? { kind: 'arrived' } : before));
    };
    // In the capture phase, like the listeners for the keys of a talk.
    window.addEventListener('keydown', onKeyDown, { signal, capture: true });
    window.addEventListener('keyup', onKeyUp, { signal, capture: true });
    return () => listening.abort();
  }, [talkKey]);
  return (
    <Setting at="talking.arrives" wide>
      {() => (
        <p className="key-seen" role="status" data-seen={seen.kind}>
          {seen.kind === 'nothing' && t('settings.talking.waits')}
          {seen.kind === 'down' && t('settings.talking.arrives', { key })}
          {seen.kind === 'arrived' && t('settings.talking.arrived', { key })}
          {seen.kind === 'other' &&
            t('settings.talking.other', {
              key: keyName(seen.key, t('keys', { returnObjects: true })),
            })}
        </p>
      )}
    </Setting>
  );
}

/** The global talk key: switch, chord, state and test. */
function GlobalKeyRows() {
  const { t } = useTranslation();
  const { everywhere, globalKey } = useSettingsGroup('talking');
  const { setup } = useActions();
  useEffect(() => void setup.readGlobalKey(), [setup]);
  const names = t('keys', { returnObjects: true });
  return (
    <>
      <SwitchSetting at="talking.everywhere" />
      {everywhere && (
        <>
          <KeyRecorder
            at="talking.globalKey"
            owner="global"
            value={globalKey}
            defaultValue={defaultSettings.talking.globalKey}
            labels={globalKey === 'none' ? [] : [keyName(globalKey, names)]}
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
  const isRunning = useIsBusy('globalKeyTest');
  const active = view.state.kind === 'active';
  return (
    <Setting at="talking.globalTest" wide>
      {(aria) => (
        <div className="global-key">
          <StateLine view={view} />
          {mode === 'open' && <p className="row-hint">{t('settings.globalKey.open')}</p>}
          {view.state.kind === 'unavailable' && (
            <Button onClick={() => void setup.retryGlobalKey()}>{t('buttons.again')}</Button>
          )}
          {active && (
            <Button
              aria-describedby={aria['aria-describedby']}
              aria-disabled={isRunning}
              onClick={() => void setup.testGlobalKey(globalKey)}
            >
              {t('settings.globalKey.test')}
            </Button>
          )}
          {active && <TestLine running={isRunning} />}
        </div>
      )}
    </Setting>
  );
}

/** How Parley listens for the key, or why it cannot, and when the key was last pressed. */
function StateLine({ view: { state, seen } }: { readonly view: GlobalKeyView }) {
  const { t, i18n } = useTranslation();
  const time = seen && dateFormat(i18n.language, { timeStyle: 'medium' }).format(seen.at);
  return (
    <>
      <p className="verdict" role="status" data-good={isGoodState[state.kind]} dir="auto">
        {stateText(state)}
      </p>
      {time !== undefined && <p className="row-hint">{t('settings.globalKey.seen', { time })}</p>}
    </>
  );

  function stateText(now: GlobalKeyState): string {
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

const isGoodState: Readonly<Partial<Record<GlobalKeyState['kind'], boolean>>> = {
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
