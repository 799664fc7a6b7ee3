import type { Parley } from '../../core/compose-parley.ts';

type Core = Pick<Parley, 'notices' | 'lifetime'> & {
  readonly talk: Pick<Parley['talk'], 'active'>;
};

const checkEveryMs = 5000;

/**
 * A page that hangs is noticed while a talk goes on, because then a microphone may be open behind it. While
 * none does nothing here wakes the process up.
 */
export function checkPagesWhileTalking(core: Core, check: () => void): void {
  const { notices, lifetime, talk } = core;
  let checking: NodeJS.Timeout | undefined;
  const stop = (): void => {
    clearInterval(checking);
    checking = undefined;
  };
  const begin = (): void => {
    if (checking !== undefined || !talk.active) return;
    checking = setInterval(() => {
      if (talk.active) check();
      else stop();
    }, checkEveryMs);
    checking.unref();
  };
  const leave = notices.listen(({ name }) => {
    if (name === 'talkBegan' || name === 'talkState') begin();
  });
  // It may go on already, as one that was taken up again.
  begin();
  lifetime.add(() => {
    leave();
    stop();
  }, 'looking after the pages');
}
