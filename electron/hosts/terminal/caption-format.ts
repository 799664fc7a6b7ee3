import type { CaptionFormat } from '../../session/caption-files.ts';
import { UsageError } from './command.ts';

/** Which kind of captions a file is to hold, by its name. */
export function captionFormatOf(path: string): CaptionFormat {
  const ending = /\.(vtt|srt)$/i.exec(path)?.[1]?.toLowerCase();
  if (ending === 'vtt' || ending === 'srt') return ending;
  throw new UsageError(`--captions takes a file that ends in .vtt or .srt, not "${path}".`);
}
