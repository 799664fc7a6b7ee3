import { useEffect, useRef, useState } from 'react';
import { copyText } from '../../parts/copy-text.ts';
import { useActions } from '../../store/use-app-context.ts';

const shownMs = 2000;

/** Copies a text, and says for a moment that it has. */
export function useCopy() {
  const { chat } = useActions();
  const [copied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
    },
    [],
  );
  const copy = (text: string): void => {
    if (!copyText(text)) {
      chat.note({ kind: 'notCopied' });
      return;
    }
    setCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setCopied(false);
    }, shownMs);
  };
  return { copied, copy };
}
