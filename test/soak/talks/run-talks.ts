import { Lifetime } from '../../../shared/lifetime.ts';
import { PlainPlayer } from '../../bench/conversation/plain-player.ts';
import { raisePriority, raiseSessionPriority } from '../../bench/conversation/priority.ts';
import { SoundServer } from '../../contract/sound/sound-server.ts';
import { openTalk, talkServers } from './open-talk.ts';
import type { ServerKind } from './open-talk.ts';
import { judgeTalk } from './judge-talk.ts';
import type { TalkLimits, TalkVerdict } from './judge-talk.ts';

interface TalksOptions {
  readonly seconds: number;
  readonly with: readonly ServerKind[];
  readonly limits?: TalkLimits;
  /** Raises the priority of the measuring processes and of this session, as in a bench. */
  readonly first?: boolean;
}

export const allTalkServers = Object.keys(talkServers) as ServerKind[];

const listenEveryMs = 10_000;

/** Runs `parley talk` with each kind of server at once, and judges each talk by what the machine did meanwhile. */
export async function runTalks(options: TalksOptions): Promise<readonly TalkVerdict[]> {
  const lifetime = new Lifetime('the long talks');
  try {
    if (options.first === true) raiseSessionPriority();
    const plain = await playPlainly(lifetime);
    const talks = await Promise.all(options.with.map((server) => openTalk(server, lifetime)));
    // Raises only the measuring process; Parley has already started.
    if (options.first === true) raisePriority(process.pid);
    const accounts = await Promise.all(talks.map((hold) => hold(options.seconds)));
    const plainLost = plain();
    return accounts.map((account) => judgeTalk(account, plainLost, options.limits));
  } finally {
    await lifetime.end();
  }
}

/** Plays a continuous tone with another program; returns a function for the share lost so far. */
async function playPlainly(lifetime: Lifetime): Promise<() => number> {
  const sound = new SoundServer();
  lifetime.add(() => sound.end(), 'the card of the plain tone');
  await sound.start();
  raisePriority(sound.pid);
  const player = await PlainPlayer.start(sound);
  let [heard, lostMs] = [0, 0];
  const listen = (): void => {
    const { count } = player.recorded;
    lostMs += player.recorded.gapsMs(heard).reduce((sum, ms) => sum + ms, 0);
    heard = count;
  };
  const listening = setInterval(listen, listenEveryMs);
  lifetime.add(() => {
    clearInterval(listening);
    player.end();
  }, 'the plain tone');
  return () => {
    listen();
    return lostMs / ((heard * 1000) / player.recorded.rate);
  };
}

export function talksTable(verdicts: readonly TalkVerdict[]): string {
  const rows = verdicts.map(({ cells }) => cells);
  const heads = Object.keys(rows[0] ?? {});
  const line = (texts: readonly string[]): string => `| ${texts.join(' | ')} |`;
  const body = rows.map((row) => line(heads.map((head) => row[head] ?? '')));
  return [line(heads), line(heads.map(() => '---')), ...body].join('\n');
}
