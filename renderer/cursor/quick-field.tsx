import { ArrowUp, Mic, Square } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { joinPhrases } from '../../shared/text.ts';
import { useActions, useUiState } from '../app/app-context.ts';
import { IconButton, textAfterSending } from '../design/controls.tsx';
import { fitText, isSendKey, refuseLongText } from '../design/edit-in-place.tsx';
import { DraftPassages } from '../memory/past-passages.tsx';
import { LevelRing, useDictationStatus } from './dictation-card.tsx';

const sendKey = 'Enter';

/** The field for the question. It gets the focus when the window opens, and dictated words go into it. */
export function QuickField({ hasTurns }: { readonly hasTurns: boolean }) {
  const { t } = useTranslation();
  const { quick } = useActions();
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState('');
  const opened = useUiState(({ quick }) => quick.opened);
  const draft = useUiState(({ quick }) => quick.draft);
  const conversation = useUiState(({ chat }) => chat.conversation?.id);
  const dictation = useUiState(({ quick }) => quick.dictation);
  const { kind } = dictation.state;
  const [shownId, setShownId] = useState<string>();
  if (conversation !== shownId) {
    setShownId(conversation);
    setText(draft);
  }
  const [lastKind, setLastKind] = useState(kind);
  if (kind !== lastKind) {
    setLastKind(kind);
    // Dictated words go after the typed ones.
    if (kind === 'done') setText(joinPhrases(text.trimEnd(), dictation.text));
  }
  useEffect(() => {
    if (opened > 0 && kind !== 'listening') field.current?.focus();
  }, [opened, kind]);
  const send = (): void => {
    if (text.trim() === '') return;
    void quick.send(text).then((sent) => {
      if (sent) setText((now) => textAfterSending(now, text));
      return undefined;
    });
  };
  const isDictating = kind === 'opening' || kind === 'listening' || kind === 'writing';
  return (
    <div className="cursor-field">
      <textarea
        ref={field}
        aria-label={t('cursor.field')}
        placeholder={t(hasTurns ? 'cursor.placeholderMore' : 'cursor.placeholder')}
        {...fitText(text)}
        rows={1}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (!isSendKey(event) || event.ctrlKey || event.metaKey) return;
          event.preventDefault();
          send();
        }}
        {...refuseLongText(quick.acceptsText)}
      />
      {isDictating && <Status />}
      <IconButton
        icon={isDictating ? Square : Mic}
        label={t(isDictating ? 'cursor.stopDictating' : 'cursor.dictate')}
        onClick={() => void (isDictating ? quick.endDictation() : quick.dictate())}
      />
      <IconButton
        icon={ArrowUp}
        label={t('buttons.send')}
        hint={sendKey}
        aria-disabled={text.trim() === ''}
        onClick={send}
      />
      <DraftPassages text={text} onFind={quick.findPast} />
    </div>
  );
}

function Status() {
  const status = useDictationStatus();
  const text = useUiState(({ quick }) => quick.dictation.text);
  return (
    <p className="cursor-field-status" role="status" dir="auto">
      <LevelRing />
      {text === '' ? status : text}
    </p>
  );
}
