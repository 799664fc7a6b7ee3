import { type KeyboardEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatChord, modifierOf } from '../../../shared/talk/global-key.ts';
import { Button } from '../../design/button.tsx';

interface Props {
  readonly 'aria-describedby'?: string | undefined;
  /** Records without a click, because the user asked for it elsewhere. */
  readonly isRequested?: boolean;
  readonly onBegin?: () => void;
  /** Returns `again` if the key cannot be used, so that the button records the next one. */
  readonly onRecord: (chord: string, stroke: globalThis.KeyboardEvent) => 'again' | undefined;
  readonly onStop?: () => void;
}

/** Takes the next key that is pressed. */
export function RecordKeyButton({
  isRequested = false,
  onBegin,
  onRecord,
  onStop,
  ...rest
}: Props) {
  const { t } = useTranslation();
  const [pressed, setPressed] = useState(false);
  const endsChord = useRef(false);
  const isRecording = pressed || isRequested;
  const end = (): void => {
    setPressed(false);
    onStop?.();
  };
  const handleKey = (event: KeyboardEvent): void => {
    const { code } = event.nativeEvent;
    // Tab moves the focus and cancels.
    if (!isRecording || event.key === 'Tab') return;
    event.preventDefault();
    event.stopPropagation();
    const isDown = event.type === 'keydown';
    const isModifier = modifierOf(code) !== undefined;
    // A modifier can start a chord, so alone it counts on release, unless it belonged to a chord that was refused.
    const isComplete = isDown !== isModifier && !(isModifier && endsChord.current);
    if (isDown) endsChord.current = !isModifier;
    if (!isComplete || event.repeat) return;
    const { nativeEvent } = event;
    if (code === 'Escape' || onRecord(formatChord(nativeEvent), nativeEvent) === undefined) end();
  };
  return (
    <Button
      {...rest}
      aria-pressed={isRecording}
      onClick={() => {
        onBegin?.();
        setPressed(true);
      }}
      onKeyDown={handleKey}
      onKeyUp={handleKey}
      onBlur={end}
    >
      {t(isRecording ? 'settings.talking.press' : 'settings.talking.change')}
    </Button>
  );
}
