import { useEffect, useState } from 'react';
import { useActions } from '../../store/use-app-context.ts';

/** None while it is being fetched. */
export type MediaUrl =
  | { readonly kind: 'there'; readonly url: string }
  | { readonly kind: 'gone' }
  | undefined;

const types = { image: 'image/jpeg', audio: 'audio/wav' } as const;

/** An address for a picture or sound of a conversation, as long as it is shown. */
export function useMediaUrl(media: string): MediaUrl {
  const { chat } = useActions();
  const [url, setUrl] = useState<MediaUrl>();
  useEffect(() => {
    let left = false;
    let made: string | undefined;
    const fetchMedia = async (): Promise<void> => {
      const found = await chat.media(media);
      if (left) return;
      if (found !== undefined) {
        const file = new Uint8Array(found.file);
        made = URL.createObjectURL(new Blob([file], { type: types[found.type] }));
      }
      setUrl(made === undefined ? { kind: 'gone' } : { kind: 'there', url: made });
    };
    void fetchMedia();
    return () => {
      left = true;
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [chat, media]);
  return url;
}
