import { ArrowUp } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../design/button.tsx';
import './typed-words.css';

interface TypingFormProps {
  readonly label: string;
  readonly placeholder: string;
  readonly maxLength: number;
  /** Resolves true if the text was accepted; the field is then emptied. */
  readonly onSend: (text: string) => Promise<boolean>;
}

/** A line that the user writes during a talk. */
export function TypingForm({ label, placeholder, maxLength, onSend }: TypingFormProps) {
  const { t } = useTranslation();
  const id = useId();
  const [text, setText] = useState('');
  const [sending, setSending] = useState(false);
  const submit = async (): Promise<void> => {
    if (sending || text.trim() === '') return;
    setSending(true);
    if (await onSend(text.trim())) setText('');
    setSending(false);
  };
  return (
    <form
      className="typing-form"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <label htmlFor={id} className="only-heard">
        {label}
      </label>
      <input
        id={id}
        type="text"
        className="text-field"
        dir="auto"
        autoFocus
        autoComplete="off"
        maxLength={maxLength}
        placeholder={placeholder}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <IconButton
        icon={ArrowUp}
        label={t('buttons.send')}
        type="submit"
        aria-disabled={text.trim() === '' || sending}
      />
    </form>
  );
}
