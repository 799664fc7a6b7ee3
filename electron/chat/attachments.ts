import type { PreparedAttachment } from '../../shared/chat/attachment-limits.ts';
import { appError, failure } from '../../shared/errors/app-error.ts';
import { maxClipSeconds, attachmentSizeError } from '../../shared/chat/attachment-limits.ts';
import { inputRate } from '../../shared/protocol/protocol-limits.ts';
import { soundFromWav } from '../sound/dsp/sound-from-wav.ts';
import type { Random } from '../ports/clock.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { Pictures } from '../ports/pictures.ts';
import { makeChatId } from './chat-session.ts';
import type { MediaCache } from './media-cache.ts';
import { isAnimatedPicture } from './animated-picture.ts';
import { sniffSound } from './sniff-sound.ts';

/** Nine slices of 448 pixels are three by three: what is larger the model cannot see. */
const maxSidePixels = 1344;

export interface Attachments {
  /** A file that was chosen, dropped or pasted. */
  readonly addFile: (name: string, file: Uint8Array) => Promise<Outcome<PreparedAttachment>>;
  /** What was recorded: 16 kHz mono. */
  readonly addRecording: (samples: Float32Array) => Outcome<PreparedAttachment>;
  /** Something that was attached is not sent after all. */
  readonly forget: (media: string) => void;
}

interface Deps {
  readonly pictures: Pick<Pictures, 'prepare'>;
  readonly media: MediaCache;
  readonly random: Random;
}

/** Makes files fit to be sent: pictures of a size the model sees, sound as it hears it. */
export function createAttachments(deps: Deps): Attachments {
  const { pictures, media, random } = deps;

  const addFile: Attachments['addFile'] = async (name, file) => {
    const error = attachmentSizeError({ name, bytes: file.length });
    if (error !== undefined) return { ok: false, error };
    const sound = sniffSound(file);
    if (sound === 'wav') return addWav(file);
    if (sound !== 'none') {
      return failure('otherSound', { kind: sound.kind });
    }
    const picture = await pictures.prepare(file, maxSidePixels);
    if (!picture.ok) return picture;
    const id = makeChatId(random);
    media.put(id, { type: 'image', file: picture.value });
    const part = { type: 'image', media: id } as const;
    if (!isAnimatedPicture(file)) return { ok: true, value: { part } };
    return { ok: true, value: { part, notice: appError('pictureMoves') } };
  };

  function addWav(file: Uint8Array): Outcome<PreparedAttachment> {
    const sound = soundFromWav(file, inputRate, maxClipSeconds);
    return sound.ok ? addSound(sound.value) : sound;
  }

  function addSound(samples: Float32Array): Outcome<PreparedAttachment> {
    const id = makeChatId(random);
    media.put(id, { type: 'audio', samples });
    const seconds = samples.length / inputRate;
    return { ok: true, value: { part: { type: 'audio', media: id, seconds } } };
  }

  return {
    addFile,
    addRecording: (samples) => {
      if (samples.length === 0) {
        return failure('nothingRecorded');
      }
      if (samples.length <= maxClipSeconds * inputRate) return addSound(samples);
      return failure('clipLong', { most: maxClipSeconds });
    },
    forget: (id) => {
      media.drop(id);
    },
  };
}
