import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { TalkRecordPicture } from '../../../shared/history/talk-record.ts';
import { PictureThumb } from '../../parts/picture-thumb.tsx';
import { useBlobUrl } from '../../parts/use-blob-url.ts';
import { useActions } from '../../store/use-app-context.ts';
import { clockTime } from '../../talk/use-countdown.ts';

interface Props {
  readonly id: string;
  readonly picture: TalkRecordPicture;
}

/** A picture that went to the model, where it belongs among the words. */
export function TalkPicture({ id, picture: { file, at, width, height } }: Props) {
  const { t } = useTranslation();
  const { history } = useActions();
  const read = useCallback(async (): Promise<Blob | undefined> => {
    const jpeg = await history.picture(id, file);
    return jpeg && new Blob([new Uint8Array(jpeg)], { type: 'image/jpeg' });
  }, [history, id, file]);
  const found = useBlobUrl(read);
  return (
    <PictureThumb
      found={found}
      name={t('history.talk.picture', { time: clockTime(at / 1000) })}
      size={{ width, height }}
    />
  );
}
