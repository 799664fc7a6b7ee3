import { describe, expect, it } from 'vitest';
import { findInGuide, readGuide } from '../../../../renderer/guide/guide-sheet.tsx';

const source = `# A guide

Before all.

## Talking

Press **Start**.

![A talk](pictures/en/talk.webp)

Then speak: the key is F9.

## Keys

Every key.

## Seeing
`;

describe('the guide', () => {
  it('is split into sections of text and pictures', () => {
    const sections = readGuide(source);
    expect(sections.map(({ title }) => title)).toEqual(['Talking', 'Keys', 'Seeing']);
    expect(sections.map(({ parts }) => parts)).toEqual([
      [
        { kind: 'text', text: 'Press **Start**.' },
        { kind: 'picture', alt: 'A talk', file: 'pictures/en/talk.webp' },
        { kind: 'text', text: 'Then speak: the key is F9.' },
      ],
      [{ kind: 'text', text: 'Every key.' }],
      [],
    ]);
  });

  it('has subheadings one level below the titles of its sections', () => {
    const [section] = readGuide('## Tools\n\n### In a talk\n\nAsk.\n');
    expect(section?.parts).toEqual([{ kind: 'text', text: '## In a talk\n\nAsk.' }]);
  });

  it.each([
    ['', ['Talking', 'Keys', 'Seeing']],
    ['  ', ['Talking', 'Keys', 'Seeing']],
    ['KÉY', ['Keys', 'Talking']],
    ['key f9', ['Talking']],
    ['aeroplane', []],
  ])('finds for %j the sections %j', (typed, titles) => {
    expect(findInGuide(readGuide(source), typed).map(({ title }) => title)).toEqual(titles);
  });
});
