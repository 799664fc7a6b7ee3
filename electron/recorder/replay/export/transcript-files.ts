import type { CoreMessages } from '../../../../shared/i18n/messages.ts';
import type { TalkTranscript, TranscriptLine } from './transcript-value.ts';

/** What stands between the words, in the person's language. */
export type TranscriptWords = CoreMessages['transcript'];

export function transcriptMarkdown(transcript: TalkTranscript, words: TranscriptWords): string {
  const lines = transcript.lines.map((line) => {
    const said = line.text === undefined ? `*${words.noWords}*` : escaped(line.text.trim());
    const cut = line.unheard.trim() === '' ? '' : ` ~~${escaped(line.unheard.trim())}~~`;
    return `**${timeOf(line.at)} ${whoOf(line, words)}** ${said}${cut}\n`;
  });
  return [`# ${titleOf(transcript, words)}\n`, `${escaped(transcript.server)}\n`, ...lines].join(
    '\n',
  );
}

export function transcriptText(transcript: TalkTranscript, words: TranscriptWords): string {
  const lines = transcript.lines.map((line) => {
    const said = line.text === undefined ? `(${words.noWords})` : oneLine(line.text);
    const cut = line.unheard.trim() === '' ? '' : ` (${words.notHeard}: ${oneLine(line.unheard)})`;
    return `${timeOf(line.at)} ${whoOf(line, words)} ${said}${cut}`;
  });
  return [titleOf(transcript, words), transcript.server, '', ...lines, ''].join('\n');
}

export function transcriptJson(transcript: TalkTranscript): string {
  return `${JSON.stringify({ format: 'parley-transcript', version: 1, ...transcript }, null, 2)}\n`;
}

function titleOf({ recordedAt }: TalkTranscript, { title }: TranscriptWords): string {
  return recordedAt === '' ? title : `${title}, ${recordedAt}`;
}

function whoOf({ by, byMachine }: TranscriptLine, words: TranscriptWords): string {
  const who = by === 'person' ? words.you : 'Parley';
  return `${who}${byMachine ? ` (${words.byMachine})` : ''}:`;
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/gu, ' ');
}

/** What Markdown would take for more than words. */
function escaped(text: string): string {
  return oneLine(text).replaceAll(/[\\`*_[\]<>#~|]/gu, String.raw`\$&`);
}

function timeOf(ms: number): string {
  const seconds = Math.floor(Math.max(0, ms) / 1000);
  const minutes = Math.floor(seconds / 60);
  return `${minutes}:${String(seconds % 60).padStart(2, '0')}`;
}
