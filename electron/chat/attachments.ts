import {
  isSoundName,
  mostClipSeconds,
  mostPictureBytes,
  mostSoundBytes,
  sizeProblem,
} from '../../shared/chat/attachment-limits.ts';
import type { Attached } from '../../shared/chat/attached.ts';
import { inputRate } from '../../shared/protocol/limits.ts';
import { soundFromWav } from '../audio/sound-from-wav.ts';
import type { Random } from '../ports/clock.ts';
import type { Files } from '../ports/files.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { Pictures } from '../ports/pictures.ts';
import { makeId } from './ids.ts';
import type { MediaShelf } from './media-shelf.ts';
import { isMoving } from './moving-picture.ts';
import { sniffSound } from './sniff-sound.ts';

/** Nine slices of 448 pixels are three by three: what is larger the model cannot see. */
const longestSide = 1344;

export interface Attachments {
  /** A file by its path, read here; its size is looked at first. */
  readonly addPath: (path: string) => Promise<Outcome<Attached>>;
  /** A file whose bytes are here: dropped or pasted. */
  readonly addFile: (name: string, file: Uint8Array) => Promise<Outcome<Attached>>;
  /** What was recorded: 16 kHz mono. */
  readonly addRecording: (samples: Float32Array) => Outcome<Attached>;
  /** Something that was attached is not sent after all. */
  readonly forget: (media: string) => void;
}

interface AttachmentNeeds {
  readonly files: Pick<Files, 'read'>;
  readonly pictures: Pick<Pictures, 'prepare'>;
  readonly media: MediaShelf;
  readonly random: Random;
}

/** Makes files fit to be sent: pictures of a size the model sees, sound as it hears it. */
export function createAttachments(needs: AttachmentNeeds): Attachments {
  const { files, pictures, media, random } = needs;

  const addFile: Attachments['addFile'] = async (name, file) => {
    const problem = sizeProblem({ name, bytes: file.length });
    if (problem !== undefined) return { ok: false, problem: problem.sentence, why: problem.why };
    const sound = sniffSound(file);
    if (sound === 'wav') return addWav(file);
    if (sound !== 'none') {
      const problem = `This is ${sound.name}: Parley takes sound as WAV files only, so convert it first.`;
      return { ok: false, problem, why: { is: 'otherSound', kind: sound.kind } };
    }
    const picture = await pictures.prepare(file, longestSide);
    if (!picture.ok) return picture;
    const id = makeId(random);
    media.put(id, { type: 'image', file: picture.value });
    const part = { type: 'image', media: id } as const;
    if (!isMoving(file)) return { ok: true, value: { part } };
    const notice = 'This picture moves; the model sees its first frame.';
    return { ok: true, value: { part, notice, why: 'pictureMoves' } };
  };

  function addWav(file: Uint8Array): Outcome<Attached> {
    const sound = soundFromWav(file, inputRate, mostClipSeconds);
    return sound.ok ? addSound(sound.value) : sound;
  }

  function addSound(samples: Float32Array): Outcome<Attached> {
    const id = makeId(random);
    media.put(id, { type: 'audio', samples });
    const seconds = samples.length / inputRate;
    return { ok: true, value: { part: { type: 'audio', media: id, seconds } } };
  }

  return {
    addFile,
    addPath: async (path) => {
      const most = isSoundName(path) ? mostSoundBytes : mostPictureBytes;
      const file = await files.read(path, most);
      return file.ok ? addFile(path, file.value) : file;
    },
    addRecording: (samples) => {
      if (samples.length === 0) {
        return { ok: false, problem: 'Nothing was recorded.', why: 'nothingRecorded' };
      }
      if (samples.length <= mostClipSeconds * inputRate) return addSound(samples);
      const problem = `A recording may last ${mostClipSeconds} seconds.`;
      return { ok: false, problem, why: { is: 'clipLong', most: mostClipSeconds } };
    },
    forget: (id) => {
      media.drop(id);
    },
  };
}
