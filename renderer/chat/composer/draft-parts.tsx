import { X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../design/icon-button.tsx';
import { errorText } from '../../parts/error-text.ts';
import { currentDraft } from '../../store/chat/chat-ui-state.ts';
import type { DraftItem } from '../../store/chat/chat-ui-state.ts';
import { useActions, useUiState } from '../../store/use-app-context.ts';
import { ClipPart } from '../media/clip-part.tsx';
import { PicturePart } from '../media/picture-part.tsx';

/** What goes along with the message, each with a way out again. */
export function DraftParts() {
  const { t } = useTranslation();
  const attached = useUiState(({ chat }) => currentDraft(chat).attached);
  const reading = useUiState(({ chat }) => currentDraft(chat).reading);
  const goes = useUiState(({ chat }) => currentDraft(chat).sendWhenRead);
  if (attached.length === 0 && reading === 0) return null;
  return (
    <ul className="draft-parts" aria-label={t('chat.composer.attached')}>
      {attached.map((item) => (
        <DraftPart key={item.part.media} item={item} />
      ))}
      {reading > 0 && (
        <li className="draft-reading">
          <span role="status">
            {t(goes ? 'chat.composer.goesWhenRead' : 'chat.composer.reading')}
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
    <li className="draft-part">
      {part.type === 'image' ? (
        <PicturePart media={part.media} />
      ) : (
        <ClipPart media={part.media} seconds={part.seconds} />
      )}
      <div className="draft-part-name">
        <span dir="auto">{name}</span>
        {notice !== undefined && <small dir="auto">{errorText(t, notice)}</small>}
      </div>
      <IconButton
        icon={X}
        label={t('chat.composer.detach', { name })}
        onClick={() => {
          chat.detach(part.media);
        }}
      />
    </li>
  );
}
