import { useCallback } from 'react';
import { useBlobUrl } from '../../parts/use-blob-url.ts';
import type { BlobUrl } from '../../parts/use-blob-url.ts';
import { useActions } from '../../store/use-app-context.ts';

const types = { image: 'image/jpeg', audio: 'audio/wav' } as const;

/** An address for a picture or sound of a conversation, as long as it is shown. */
export function useMediaUrl(media: string): BlobUrl {
  const { chat } = useActions();
  const read = useCallback(async (): Promise<Blob | undefined> => {
    const found = await chat.media(media);
    return found && new Blob([new Uint8Array(found.file)], { type: types[found.type] });
  }, [chat, media]);
  return useBlobUrl(read);
}
