import { ArrowUp, Mic, Square } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { joinPhrases } from '../../shared/sentences.ts';
import { useActions, useUiState } from '../app/use-app-context.ts';
import { IconButton } from '../design/button.tsx';
import { isSendKey } from '../design/edit-in-place.tsx';
import { DraftPassages } from '../memory/past-passages.tsx';
import { LevelRing, useDictationStatus } from './dictation-card.tsx';

const sendKey = 'Enter';

/** The question. It has the focus when the window opens; the microphone writes into it. */
export function QuickField({ asked }: { readonly asked: boolean }) {
  const { t } = useTranslation();
  const { quick } = useActions();
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState('');
  const opened = useUiState(({ quick }) => quick.opened);
  const draft = useUiState(({ quick }) => quick.draft);
  const conversation = useUiState(({ chat }) => chat.conversation?.id);
  const dictation = useUiState(({ quick }) => quick.dictation);
  const { kind } = dictation.state;
  const [begun, setBegun] = useState<string>();
  if (conversation !== begun) {
    setBegun(conversation);
    setText(draft);
  }
  const [wrote, setWrote] = useState(kind);
  if (kind !== wrote) {
    setWrote(kind);
    // Dictated words stand behind what was typed.
    if (kind === 'done') setText(joinPhrases(text.trimEnd(), dictation.text));
  }
  useEffect(() => {
    if (opened > 0 && kind !== 'listening') field.current?.focus();
  }, [opened, kind]);
  const send = (): void => {
    if (text.trim() === '') return;
    void quick.send(text).then((sent) => {
      if (sent) setText('');
      return undefined;
    });
  };
  const dictates = kind === 'opening' || kind === 'listening' || kind === 'writing';
  return (
    <div className="cursor-field">
      <textarea
        ref={field}
        aria-label={t('cursor.field')}
        placeholder={t(asked ? 'cursor.placeholderMore' : 'cursor.placeholder')}
        dir="auto"
        rows={1}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (!isSendKey(event) || event.ctrlKey || event.metaKey) return;
          event.preventDefault();
          send();
        }}
      />
      {dictates && <Status />}
      <IconButton
        icon={dictates ? Square : Mic}
        label={t(dictates ? 'cursor.stopDictating' : 'cursor.dictate')}
        onClick={() => void (dictates ? quick.endDictation() : quick.dictate())}
      />
      <IconButton
        icon={ArrowUp}
        label={t('buttons.send')}
        hint={sendKey}
        aria-disabled={text.trim() === ''}
        onClick={send}
      />
      <DraftPassages text={text} find={quick.findPast} />
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
