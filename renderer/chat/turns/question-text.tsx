import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../design/button.tsx';

/** A pasted book would bury the answer to it, and make the page slow. */
const maxShown = 3000;

/** A person's own words, as they wrote them. */
export function QuestionText({ text }: { readonly text: string }) {
  const { t, i18n } = useTranslation();
  const [whole, setWhole] = useState(false);
  const long = text.length > maxShown && !whole;
  return (
    <>
      <p className="question-text" dir="auto">
        {long ? `${wholeLetters(text.slice(0, maxShown))}…` : text}
      </p>
      {long && (
        <Button
          kind="quiet"
          onClick={() => {
            setWhole(true);
          }}
        >
          {t('chat.whole', {
            characters: new Intl.NumberFormat(i18n.language).format(text.length),
          })}
        </Button>
      )}
    </>
  );
}

/** Without the first half of a letter that is made of two. */
function wholeLetters(text: string): string {
  return text.replace(/[\uD800-\uDBFF]$/u, '');
}
