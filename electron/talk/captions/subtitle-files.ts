import { captionWidth } from './caption-words.ts';
import type { Cue, CueWord } from './live-captions.ts';

/** Readable at a glance: two lines of 42 characters and at most a dozen words. */
const lineWidth = 42;
const maxLines = 2;
const maxWords = 12;
/** The end of a sentence also ends the block, if the block has at least this many words. */
const minWords = 4;

export function toVtt(cues: readonly Cue[]): string {
  const blocks = cues.flatMap(splitIntoBlocks).map((block) => {
    const text = block.lines.join('\n');
    const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    return `${formatTime(block.start, '.')} --> ${formatTime(block.end, '.')}\n${escaped}\n`;
  });
  return ['WEBVTT\n', ...blocks].join('\n');
}

/** SubRip has no escapes, so an arrow in the text, which marks a time line, is replaced. */
export function toSrt(cues: readonly Cue[]): string {
  return cues
    .flatMap(splitIntoBlocks)
    .map((block, index) => {
      const text = block.lines.join('\n').replaceAll('-->', '->');
      return `${index + 1}\n${formatTime(block.start, ',')} --> ${formatTime(block.end, ',')}\n${text}\n`;
    })
    .join('\n');
}

interface Block {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

function splitIntoBlocks({ words }: Cue): readonly Block[] {
  const groups: CueWord[][] = [];
  let group: CueWord[] = [];
  for (const word of words.flatMap(cutLongWord)) {
    const fits = wrap([...group, word]).length <= maxLines && countWords(group) < maxWords;
    const sentenceOver = countWords(group) >= minWords && endsSentence(group.at(-1));
    if (!fits || sentenceOver) {
      groups.push(group);
      group = [];
    }
    group.push(word);
  }
  if (group.length > 0) groups.push(group);
  return groups.map((inside) => ({
    start: inside[0]?.start ?? 0,
    end: inside.at(-1)?.end ?? 0,
    lines: wrap(inside),
  }));
}

/** @param words none longer than a line */
function wrap(words: readonly CueWord[]): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const { text } of words) {
    const word = text.trim();
    const longer = line === '' ? word : line + text.replace(/^\s+/, ' ');
    if (captionWidth(longer) > lineWidth) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

/** Counts words separated by spaces; scripts without spaces are limited by width. */
function countWords(words: readonly CueWord[]): number {
  return words.filter(({ text }, index) => index === 0 || /^\s/.test(text)).length;
}

function endsSentence(word: CueWord | undefined): boolean {
  return word !== undefined && /[.!?。！？…]["'”’)]*$/.test(word.text);
}

function cutLongWord(word: CueWord): readonly CueWord[] {
  const characters = Array.from(word.text.trim());
  if (captionWidth(word.text.trim()) <= lineWidth) return [word];
  const size = Math.floor(lineWidth / 2);
  const pieces = Array.from({ length: Math.ceil(characters.length / size) }, (_, index) =>
    characters.slice(index * size, (index + 1) * size).join(''),
  );
  const step = (word.end - word.start) / pieces.length;
  return pieces.map((text, index) => ({
    text: index === 0 ? ` ${text}` : text,
    start: word.start + index * step,
    end: word.start + (index + 1) * step,
  }));
}

function formatTime(ms: number, decimalMark: string): string {
  const whole = Math.max(0, Math.round(ms));
  const part = (size: number, over: number) => Math.floor(whole / size) % over;
  const hours = twoDigits(Math.floor(whole / 3_600_000));
  const minutesAndSeconds = `${twoDigits(part(60_000, 60))}:${twoDigits(part(1000, 60))}`;
  return `${hours}:${minutesAndSeconds}${decimalMark}${String(whole % 1000).padStart(3, '0')}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
