import { Mic } from 'lucide-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useActions, useUiState } from '../app/use-app-context.ts';
import { useTalkKeyName } from '../keys/use-key-names.ts';

/** The talk key as a button, for those who point; it appears where a key is needed to talk. */
export function PushToTalkButton() {
  const { t } = useTranslation();
  const actions = useActions();
  const talking = useUiState(({ controls }) => controls.talking);
  const open = useUiState(({ controls }) => controls.passing);
  const key = useTalkKeyName();
  const down = useRef(false);
  if (talking === 'open') return null;

  const press = (): void => {
    if (down.current) return;
    down.current = true;
    void actions.talkKey('press');
  };
  const release = (key: 'release' | 'lost') => (): void => {
    if (!down.current) return;
    down.current = false;
    void actions.talkKey(key);
  };
  return (
    <button
      type="button"
      className="talk-button"
      data-on={open}
      title={key}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        press();
      }}
      onPointerUp={release('release')}
      onPointerCancel={release('lost')}
      onLostPointerCapture={release('release')}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        press();
      }}
      onKeyUp={release('release')}
      onBlur={release('lost')}
    >
      <Mic aria-hidden />
      {open
        ? t('talk.talkKey.heard')
        : t(talking === 'tap' ? 'talk.talkKey.tap' : 'talk.talkKey.hold')}
    </button>
  );
}
