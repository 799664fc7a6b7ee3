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
    isVisible: () => screen.seen,
    send: (batch) => {
      sent.push(batch.map(({ notice }) => notice));
    },
  });
  let revision = 0;
  const post = (...notices: readonly Notice[]): void => {
    page.post(
      notices.map((notice) => {
        revision += 1;
        return { notice, revision };
      }),
    );
  };
  return { page, post, sent, screen };
}

it('sends a visible page every notice at once', () => {
  const { post, sent } = open();
  post(level, word(1));
  post(ended);
  expect(sent).toEqual([[level, word(1)], [ended]]);
});

it('holds streaming notices for a hidden page and sends all but the levels once it is visible', () => {
  const { page, post, sent, screen } = open();
  screen.seen = false;
  for (let turn = 0; turn < 100; turn += 1) post(level, word(turn));
  expect(sent).toEqual([]);
  screen.seen = true;
  page.flush();
  expect(sent.flat()).toEqual(Array.from({ length: 100 }, (_, turn) => word(turn)));
});

it('sends a hidden page urgent notices at once, after all earlier ones', () => {
  const { post, sent, screen } = open();
  screen.seen = false;
  post(word(1));
  post(ended);
  expect(sent).toEqual([[word(1), ended]]);
});

it('drops empty batches and notices for an earlier page', () => {
  const { page, post, sent, screen } = open();
  screen.seen = false;
  post(level);
  post(word(1));
  page.forget();
  page.flush();
  expect(sent).toEqual([]);
});

it('holds at most a few thousand notices', () => {
  const { post, sent, screen } = open();
  screen.seen = false;
  for (let turn = 0; turn < 5000; turn += 1) post(word(turn));
  expect(sent.flat().length).toBeGreaterThan(2000);
  expect(sent.flat()).toEqual(Array.from({ length: sent.flat().length }, (_, turn) => word(turn)));
});
