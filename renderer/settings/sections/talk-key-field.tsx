import { useEffect, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../design/button.tsx';
import { talkKeyFault } from '../../keys/talk-key-fault.ts';
import {
  isChordPressed,
  isChordReleased,
  modifierOf,
  parseChord,
  formatChord,
} from '../../../shared/keys/key-chord.ts';
import { keyName } from '../../keys/key-name.ts';
import { useTalkKeyName } from '../../keys/use-talk-key-name.ts';
import { talkKeyOf } from '../../store/page-style.ts';
import { useActions, useUiState } from '../../store/use-app-context.ts';
import { Setting } from '../controls/setting.tsx';

const at = 'talking.key';

/** The talk key: a button that waits for another one when it is pressed. */
export function TalkKeyField() {
  const { t } = useTranslation();
  const { setup } = useActions();
  const name = useTalkKeyName();
  const [waiting, setWaiting] = useState(false);

  const take = (event: KeyboardEvent): void => {
    const { nativeEvent } = event;
    // Whoever moves on has not chosen a key.
    if (!waiting || event.key === 'Tab') return;
    event.preventDefault();
    event.stopPropagation();
    const down = event.type === 'keydown';
    // A modifier may be the beginning of two keys at once; alone it counts when it comes up.
    if (down === (modifierOf(nativeEvent.code) !== undefined) || event.repeat) return;
    if (!down && modifierOf(nativeEvent.code) === undefined) return;
    const key = formatChord(nativeEvent);
    const fault = talkKeyFault(nativeEvent);
    if (nativeEvent.code !== 'Escape') {
      if (fault === undefined) void setup.choose(at, { talking: { key } });
      else {
        const named = keyName(key, t('keys', { returnObjects: true }));
        setup.setProblem(at, t(`settings.talking.faults.${fault}`, { key: named }));
        return;
      }
    }
    setWaiting(false);
  };
  return (
    <Setting at={at}>
      {(aria) => (
        <>
          <kbd className="key">{name}</kbd>
          <Button
            aria-describedby={aria['aria-describedby']}
            aria-pressed={waiting}
            onClick={() => {
              setup.setProblem(at, undefined);
              setWaiting(true);
            }}
            onKeyDown={take}
            onKeyUp={take}
            onBlur={() => {
              setWaiting(false);
            }}
          >
            {t(waiting ? 'settings.talking.press' : 'settings.talking.change')}
          </Button>
        </>
      )}
    </Setting>
  );
}

type Seen =
  { readonly kind: 'nothing' | 'down' | 'arrived' } | { readonly kind: 'other'; key: string };

/** Lights up while the talk key is held: what does not arrive here does not arrive in a talk either. */
export function TalkKeyTest() {
  const talkKey = useUiState(talkKeyOf);
  return <Arrival key={talkKey} talkKey={talkKey} />;
}

function Arrival({ talkKey }: { readonly talkKey: string }) {
  const { t } = useTranslation();
  const key = useTalkKeyName();
  const [seen, setSeen] = useState<Seen>({ kind: 'nothing' });
  useEffect(() => {
    const chord = parseChord(talkKey);
    const leaving = new AbortController();
    const { signal } = leaving;
    const down = (event: globalThis.KeyboardEvent): void => {
      if (event.repeat) return;
      // Space would move the page, and an Alt key the menu.
      if (event.target === document.body && isChordPressed(chord, event)) event.preventDefault();
      if (isChordPressed(chord, event)) setSeen({ kind: 'down' });
      else if (talkKeyFault(event) === undefined)
        setSeen({ kind: 'other', key: formatChord(event) });
    };
    const up = (event: globalThis.KeyboardEvent): void => {
      if (!isChordReleased(chord, event.code)) return;
      setSeen((before) => (before.kind === 'down' ? { kind: 'arrived' } : before));
    };
    // As the talk listens to them: before anybody else.
    window.addEventListener('keydown', down, { signal, capture: true });
    window.addEventListener('keyup', up, { signal, capture: true });
    return () => {
      leaving.abort();
    };
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
