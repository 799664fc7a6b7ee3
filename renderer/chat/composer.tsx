import { ArrowUp, Check, Mic, Paperclip, Square, Volume2, VolumeX, X } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useActions, useAppContext, useUiState } from '../app/app-context.ts';
import { Button, IconButton, passFocusOn } from '../design/controls.tsx';
import { fitText, isSendKey, refuseLongText } from '../design/edit-in-place.tsx';
import { errorText, formatClock } from '../i18n/format.ts';
import { overlaySelector, textInputSelector } from '../keys/window-keys.ts';
import { DraftPassages } from '../memory/past-passages.tsx';
import { type ChatUiState, currentDraft, type DraftItem, isAnswering } from './chat-ui-state.ts';
import { ClipPart, PicturePart } from './media-parts.tsx';

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
  const openId = useUiState(({ chat }) => chat.conversation?.id);
  const field = useRef<HTMLTextAreaElement>(null);
  const hint = useId();
  const { onPaste, onDrop } = refuseLongText(chat.acceptsText);
  const before = useRef<string | undefined>('none');
  useEffect(() => {
    if (before.current === openId) return;
    before.current = openId;
    // A newly opened conversation gets the focus, unless an overlay or another text field has it.
    const busySelector = `${overlaySelector}, ${textInputSelector}`;
    if (document.activeElement?.closest(busySelector) instanceof Element) return;
    field.current?.focus({ preventScroll: true });
  }, [openId]);
  return (
    <>
      <textarea
        ref={field}
        aria-label={t('chat.composer.name')}
        aria-describedby={hint}
        placeholder={t('chat.composer.placeholder')}
        {...fitText(text)}
        rows={1}
        value={text}
        onChange={({ target }) => chat.write(target.value)}
        onKeyDown={(event) => {
          if (!isSendKey(event)) return;
          event.preventDefault();
          void chat.send();
        }}
        onPaste={(event) => {
          const { clipboardData } = event;
          const files = [...clipboardData.files];
          // Spreadsheets and word processors add a picture of the text. A file manager adds the file's path, but no HTML.
          const isText = ['text/plain', 'text/html'].every((type) => clipboardData.getData(type));
          if (files.length === 0 || isText) return onPaste(event);
          event.preventDefault();
          void chat.attachFiles(files);
        }}
        onDrop={onDrop}
      />
      <p id={hint} className="visually-hidden">
        {t('chat.composer.hint')}
      </p>
      <DraftPassages text={text} onFind={chat.findPast} />
    </>
  );
}

function ComposerActions() {
  const { t } = useTranslation();
  const { chat } = useActions();
  const speech = useUiState(({ chat }) => chat.options.speech);
  const picker = useRef<HTMLInputElement>(null);
  return (
    <div ref={passFocusOn} className="composer-actions">
      <input
        ref={picker}
        type="file"
        hidden
        multiple
        accept="image/jpeg,image/png,image/webp,.wav,audio/wav"
        onChange={({ target }) => {
          void chat.attachFiles([...(target.files ?? [])]);
          // Reset, so that the same file can be picked again.
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
        aria-pressed={speech}
        onClick={() => void chat.setOptions({ speech: !speech })}
      />
      <span className="composer-hint one-line hint" aria-hidden>
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
  const cannotSend = useUiState(({ chat }) => {
    const { text, attached, reading, sendWhenRead } = currentDraft(chat);
    return reading > 0 ? sendWhenRead : attached.length === 0 && text.trim() === '';
  });
  if (answering)
    return (
      <Button icon={<Square aria-hidden />} onClick={() => void chat.stop()}>
        {t('buttons.stop')}
      </Button>
    );
  return (
    <Button
      kind="strong"
      icon={<ArrowUp aria-hidden />}
      aria-disabled={cannotSend}
      onClick={() => void chat.send()}
    >
      {t('buttons.send')}
    </Button>
  );
}

function DraftParts() {
  const { t } = useTranslation();
  const attached = useUiState(({ chat }) => currentDraft(chat).attached);
  const reading = useUiState(({ chat }) => currentDraft(chat).reading);
  const sendsWhenRead = useUiState(({ chat }) => currentDraft(chat).sendWhenRead);
  if (attached.length === 0 && reading === 0) return null;
  return (
    <ul className="draft-parts" aria-label={t('chat.composer.attached')}>
      {attached.map((item) => (
        <DraftPart key={item.part.media} item={item} />
      ))}
      {reading > 0 && (
        <li className="draft-reading hint">
          <span role="status">
            {t(sendsWhenRead ? 'chat.composer.goesWhenRead' : 'chat.composer.reading')}
          </span>
        </li>
      )}
    </ul>
  );
}

function DraftPart({ item: { part, name, notice } }: { readonly item: DraftItem }) {
  const { t } = useTranslation();
  const { chat } = useActions();
  return (
    <li ref={passFocusOn} className="draft-part">
      {part.type === 'image' ? (
        <PicturePart media={part.media} />
      ) : (
        <ClipPart media={part.media} seconds={part.seconds} />
      )}
      <div className="draft-part-name">
        <span className="one-line" dir="auto">
          {name}
        </span>
        {notice !== undefined && (
          <small className="hint" dir="auto">
            {errorText(t, notice)}
          </small>
        )}
      </div>
      <IconButton
        icon={X}
        label={t('chat.composer.detach', { name })}
        onClick={() => chat.detach(part.media)}
      />
    </li>
  );
}

/** In dBFS. A lower peak shows an empty bar. */
const minDb = -60;

function ClipBar({ clip }: { readonly clip: Exclude<ChatUiState['clip'], 'none'> }) {
  const { t } = useTranslation();
  const { chat } = useActions();
  const { clipLevels } = useAppContext();
  const answering = useUiState(({ chat }) => isAnswering(chat));
  const [seconds, setSeconds] = useState(0);
  const bar = useRef<HTMLSpanElement>(null);
  useEffect(
    () =>
      clipLevels.add(({ seconds, peakDb }) => {
        setSeconds(Math.floor(seconds));
        const share = Math.max(0, Math.min(1, 1 - peakDb / minDb));
        if (bar.current !== null) bar.current.style.transform = `scaleX(${share})`;
      }),
    [clipLevels],
  );
  return (
    <div ref={passFocusOn} className="clip-bar">
      <IconButton icon={X} label={t('chat.clip.cancel')} onClick={() => void chat.cancelClip()} />
      <p role="status">{t(`chat.clip.${clip}`)}</p>
      <span className="clip-time">{formatClock(seconds)}</span>
      <span className="clip-level" aria-hidden>
        <span ref={bar} />
      </span>
      {answering && (
        <IconButton icon={Square} label={t('buttons.stop')} onClick={() => void chat.stop()} />
      )}
      <Button
        kind="strong"
        icon={<Check aria-hidden />}
        aria-disabled={clip === 'opening' || clip === 'attaching'}
        onClick={() => void chat.attachClip(t('chat.clip.name'))}
      >
        {t('chat.clip.attach')}
      </Button>
    </div>
  );
}
