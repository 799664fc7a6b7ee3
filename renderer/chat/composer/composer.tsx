import { ArrowUp, Mic, Paperclip, Square, Volume2, VolumeX } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../design/button.tsx';
import { IconButton } from '../../design/icon-button.tsx';
import { overlaySelector, textInputSelector } from '../../keys/focus-selectors.ts';
import { currentDraft, isAnswering } from '../../store/chat/chat-ui-state.ts';
import { useActions, useUiState } from '../../store/use-app-context.ts';
import { ClipBar } from './clip-bar.tsx';
import { DraftParts } from './draft-parts.tsx';
import { isSendKey } from './send-key.ts';

/** To fit a field to a longer text is felt at every key. */
const maxFitted = 10_000;

/** The message that is being written. */
export function Composer() {
  const clip = useUiState(({ chat }) => chat.clip);
  return (
    <div className="composer">
      <DraftParts />
      <DraftField />
      {clip === 'none' ? <ComposerActions /> : <ClipBar clip={clip} />}
    </div>
  );
}

function DraftField() {
  const { t } = useTranslation();
  const { chat } = useActions();
  const text = useUiState(({ chat }) => currentDraft(chat).text);
  const open = useUiState(({ chat }) => chat.conversation?.id);
  const field = useRef<HTMLTextAreaElement>(null);
  const hint = useId();
  const before = useRef<string | undefined>('none');
  useEffect(() => {
    if (before.current === open) return;
    before.current = open;
    // Whoever comes here means to write, unless something lies over the page or a text is being written elsewhere.
    const elsewhere = `${overlaySelector}, ${textInputSelector}`;
    if (document.activeElement?.closest(elsewhere) instanceof Element) return;
    field.current?.focus({ preventScroll: true });
  }, [open]);
  return (
    <>
      <textarea
        ref={field}
        aria-label={t('chat.composer.name')}
        aria-describedby={hint}
        placeholder={t('chat.composer.placeholder')}
        dir="auto"
        data-long={text.length > maxFitted}
        rows={1}
        value={text}
        onChange={({ target }) => {
          chat.write(target.value);
        }}
        onKeyDown={(event) => {
          if (!isSendKey(event)) return;
          event.preventDefault();
          void chat.send();
        }}
        onPaste={(event) => {
          const files = [...event.clipboardData.files];
          if (files.length === 0) return;
          event.preventDefault();
          void chat.attachFiles(files);
        }}
      />
      <p id={hint} className="only-heard">
        {t('chat.composer.hint')}
      </p>
    </>
  );
}

function ComposerActions() {
  const { t } = useTranslation();
  const { chat } = useActions();
  const speech = useUiState(({ chat }) => chat.options.speech);
  const picker = useRef<HTMLInputElement>(null);
  return (
    <div className="composer-actions">
      <input
        ref={picker}
        type="file"
        hidden
        multiple
        accept="image/jpeg,image/png,image/webp,.wav,audio/wav"
        onChange={({ target }) => {
          void chat.attachFiles([...(target.files ?? [])]);
          // The same file may be picked again.
          target.value = '';
        }}
      />
      <IconButton
        icon={Paperclip}
        label={t('chat.composer.attach')}
        onClick={() => picker.current?.click()}
      />
      <IconButton
        icon={Mic}
        label={t('chat.composer.record')}
        onClick={() => void chat.recordClip()}
      />
      <IconButton
        icon={speech ? Volume2 : VolumeX}
        label={t(speech ? 'chat.composer.speakOn' : 'chat.composer.speakOff')}
        pressed={speech}
        onClick={() => void chat.setOptions({ speech: !speech })}
      />
      <span className="composer-hint" aria-hidden>
        {t('chat.composer.hint')}
      </span>
      <SendOrStop />
    </div>
  );
}

function SendOrStop() {
  const { t } = useTranslation();
  const { chat } = useActions();
  const answering = useUiState(({ chat }) => isAnswering(chat));
  const nothing = useUiState(({ chat }) => {
    const { text, attached, reading, sendWhenRead } = currentDraft(chat);
    return reading > 0 ? sendWhenRead : attached.length === 0 && text.trim() === '';
  });
  if (answering) {
    return (
      <Button icon={<Square aria-hidden />} onClick={() => void chat.stop()}>
        {t('chat.composer.stop')}
      </Button>
    );
  }
  return (
    <Button
      kind="strong"
      icon={<ArrowUp aria-hidden />}
      aria-disabled={nothing}
      onClick={() => void chat.send()}
    >
      {t('chat.composer.send')}
    </Button>
  );
}
