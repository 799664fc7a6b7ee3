import { describe, expect, it } from 'vitest';
import { cleanTranscript } from '../../../../../electron/talk/user-transcript/phrase-question.ts';

describe('the spoken words in a model’s answer', () => {
  it.each([
    ['Where is the station?', 'Where is the station?'],
    ['  Where is\n the station? ', 'Where is the station?'],
    ['"Where is the station?"', 'Where is the station?'],
    ['“Where is the station?”', 'Where is the station?'],
    ['The speaker says: "Where is the station?"', 'Where is the station?'],
    ['Sure! Here is the transcript: Where is the station?', 'Where is the station?'],
    ['Transcription: Where is the station?', 'Where is the station?'],
    ['<think>Somebody asks.\nSo:</think>Where is the station?', 'Where is the station?'],
    ['「车站在哪里？」', '车站在哪里？'],
    ['好的，转写结果如下：“车站在哪里？”', '车站在哪里？'],
    ['说话人说：车站在哪里？', '车站在哪里？'],
    ['He said: "no", and then: "yes"', 'He said: "no", and then: "yes"'],
    ['"One" and "two"', '"One" and "two"'],
    ['The person I mean says hello.', 'The person I mean says hello.'],
    ['Here is the thing: I am lost.', 'Here is the thing: I am lost.'],
    ['I want to [unclear] there.', 'I want to … there.'],
    ['Okay.', 'Okay.'],
    ['3', '3'],
  ])('are read from %j as %j', (answer, words) => {
    expect(cleanTranscript(answer, 3)).toBe(words);
  });

  it.each([
    '',
    '[unclear]',
    '[unclear] I am only a demonstration.',
    '(inaudible)',
    'Silence.',
    '（听不清）',
    '[无法听清]',
    '…',
    '""',
    'No speech',
  ])('are missing in %j', (answer) => {
    expect(cleanTranscript(answer, 3)).toBe('');
  });

  it('are empty if nobody could have said so much in the time', () => {
    const story = 'Once upon a time there was a king. '.repeat(10);
    expect(cleanTranscript(story, 2)).toBe('');
    expect(cleanTranscript(story, 20)).toBe(story.trim());
  });
});
