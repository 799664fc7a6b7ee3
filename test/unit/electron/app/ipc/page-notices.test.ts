import { expect, it } from 'vitest';
import { PageNotices } from '../../../../../electron/app/ipc/notice-batches.ts';
import type { Notice } from '../../../../../shared/ipc/contract.ts';

const level: Notice = { name: 'level', payload: { who: 'you', rmsDb: -20, peakDb: -10 } };
const word = (turn: number): Notice => ({ name: 'caption', payload: { turn, added: 'a' } });
const ended: Notice = { name: 'talkState', payload: { phase: 'connecting' } };

function open() {
  const sent: (readonly Notice[])[] = [];
  const screen = { seen: true };
  const page = new PageNotices({
    isSeen: () => screen.seen,
    send: (batch) => {
      sent.push(batch.map(({ notice }) => notice));
    },
  });
  let revision = 0;
  const tell = (...notices: readonly Notice[]): void => {
    page.tell(
      notices.map((notice) => {
        revision += 1;
        return { notice, revision };
      }),
    );
  };
  return { page, tell, sent, screen };
}

it('tells a page that is seen everything at once', () => {
  const { tell, sent } = open();
  tell(level, word(1));
  tell(ended);
  expect(sent).toEqual([[level, word(1)], [ended]]);
});

it('sends nothing of what flows to a page that nobody sees, and all but the levels once it is seen', () => {
  const { page, tell, sent, screen } = open();
  screen.seen = false;
  for (let turn = 0; turn < 100; turn += 1) tell(level, word(turn));
  expect(sent).toEqual([]);
  screen.seen = true;
  page.flush();
  expect(sent.flat()).toEqual(Array.from({ length: 100 }, (_, turn) => word(turn)));
});

it('sends at once what such a page has to act on, after what was posted before it', () => {
  const { tell, sent, screen } = open();
  screen.seen = false;
  tell(word(1));
  tell(ended);
  expect(sent).toEqual([[word(1), ended]]);
});

it('sends nothing where there is nothing, nor to another page what was for the one before', () => {
  const { page, tell, sent, screen } = open();
  screen.seen = false;
  tell(level);
  tell(word(1));
  page.forget();
  page.flush();
  expect(sent).toEqual([]);
});

it('keeps no more than a few thousand of them', () => {
  const { tell, sent, screen } = open();
  screen.seen = false;
  for (let turn = 0; turn < 5000; turn += 1) tell(word(turn));
  expect(sent.flat().length).toBeGreaterThan(2000);
  expect(sent.flat()).toEqual(Array.from({ length: sent.flat().length }, (_, turn) => word(turn)));
});
