import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { keyFault } from '../../keys/key-fault.ts';
import {
  isChordPressed,
  isChordReleased,
  parseChord,
  formatChord,
} from '../../../shared/keys/key-chord.ts';
import { keyName } from '../../keys/key-name.ts';
import { useTalkKeyName } from '../../keys/use-talk-key-name.ts';
import { talkKeyOf } from '../../store/page-style.ts';
import { useUiState } from '../../store/use-app-context.ts';
import { Setting } from '../controls/setting.tsx';

type Seen =
  | { readonly kind: 'nothing' | 'down' | 'arrived' }
  | { readonly kind: 'other'; key: string };

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
      else if (event.code !== 'Escape' && keyFault(event) === undefined)
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
