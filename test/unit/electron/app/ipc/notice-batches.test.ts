import { beforeEach, describe, expect, it, vi } from 'vitest';
import { NoticeBatches, PageNotices } from '../../../../../electron/app/ipc/notice-batches.ts';
import type { Notice } from '../../../../../shared/ipc/contract.ts';

describe('NoticeBatches', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  function openBatches() {
    const sent: (readonly number[])[] = [];
    const all = new NoticeBatches((batch) => {
      sent.push(batch.map(({ revision }) => revision));
    });
    const add = (...revisions: readonly number[]): void => {
      for (const revision of revisions)
        all.add({ notice: { name: 'floor', payload: 'you' }, revision });
    };
    const level = (revision: number): void => {
      const payload = { who: 'you', rmsDb: -20, peakDb: -10 } as const;
      all.add({ notice: { name: 'level', payload }, revision });
    };
    return { all, add, level, sent };
  }

  it('sends the first notice at once, and the next ones in one batch, in order', () => {
    const { add, sent, all } = openBatches();
    add(1);
    expect(sent).toEqual([[1]]);
    add(2, 3);
    expect(sent).toEqual([[1]]);
    vi.advanceTimersByTime(9);
    expect(sent).toEqual([[1], [2, 3]]);
    vi.advanceTimersByTime(100);
    add(4);
    expect(sent).toEqual([[1], [2, 3], [4]]);
    all.end();
  });

  it('sends levels after 60 ms, or with the next other notice', () => {
    const { add, level, sent, all } = openBatches();
    level(1);
    vi.advanceTimersByTime(20);
    level(2);
    vi.advanceTimersByTime(39);
    expect(sent).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(sent).toEqual([[1, 2]]);
    vi.advanceTimersByTime(20);
    level(3);
    add(4);
    expect(sent).toEqual([
      [1, 2],
      [3, 4],
    ]);
    all.end();
  });
});

const word = (turn: number): Notice => ({ name: 'caption', payload: { turn, added: 'a' } });
const urgent: Notice = { name: 'talkState', payload: { phase: 'connecting' } };

function openPage() {
  const sent: (readonly Notice[])[] = [];
  const screen = { isVisible: true };
  const page = new PageNotices({
    isVisible: () => screen.isVisible,
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

describe('PageNotices', () => {
  it('sends an urgent notice at once to a hidden page, after all queued ones', () => {
    const { post, sent, screen } = openPage();
    screen.isVisible = false;
    post(word(1));
    post(urgent);
    expect(sent).toEqual([[word(1), urgent]]);
  });
});
