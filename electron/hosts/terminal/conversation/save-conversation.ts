import type { ChatThread } from '../../../../shared/chat/chat-thread.ts';
import { englishErrorMessage } from '../../../../shared/i18n/en/describe-app-error.ts';
import type { CoreMessages } from '../../../../shared/i18n/messages.ts';
import { chatExports, chatTranscript } from '../../../chat/chat-transcript.ts';
import type { FileOfMedia } from '../../../chat/chat-transcript.ts';
import type { Files } from '../../../ports/files.ts';

interface Deps {
  readonly files: Pick<Files, 'openToRead' | 'create'>;
  readonly words: CoreMessages['transcript'];
  readonly pathOf: FileOfMedia;
  /** Written by this conversation before, and written anew without asking. */
  readonly ours: Set<string>;
}

interface Saved {
  readonly saved: boolean;
  /** What came of it, for a person. */
  readonly sentence: string;
}

/** Writes a conversation into a file, in the form that its name ends with. */
export async function saveConversation(
  conversation: ChatThread,
  path: string,
  { files, words, pathOf, ours }: Deps,
): Promise<Saved> {
  const ending = /\.(?<ending>[a-z]+)$/iu.exec(path)?.groups?.['ending']?.toLowerCase();
  const form = chatExports.find((each) => each === ending);
  if (form === undefined)
    return refused(`/save takes a file that ends in .md, .txt or .json, not "${path}".`);
  if (conversation.turns.length === 0) return refused('Nothing has been said yet.');
  if (!ours.has(path) && isTaken(files, path))
    return refused(`There is a ${path} already; choose another name.`);
  const file = await files.create(path);
  if (!file.ok) return refused(englishErrorMessage(file.error));
  const fileOf: FileOfMedia = (part) => {
    const from = pathOf(part);
    return from !== undefined && form === 'md' ? encodeURI(from) : from;
  };
  file.value.append(chatTranscript(conversation, form, words, isoTime, fileOf));
  const written = await file.value.close();
  if (!written.ok) return refused(englishErrorMessage(written.error));
  ours.add(path);
  return { saved: true, sentence: `Saved as ${path}.` };
}

function refused(sentence: string): Saved {
  return { saved: false, sentence };
}

/** Whatever stands there, a link for one, is somebody's. */
function isTaken(files: Deps['files'], path: string): boolean {
  const found = files.openToRead(path);
  if (found.ok) found.value.close();
  return found.ok || found.error.code !== 'fileGone';
}

const isoTime = (ms: number): string => new Date(ms).toISOString();
