import { describe, expect, it } from 'vitest';
import { carryOver } from '../../../../../electron/talk/policies/carry-over.ts';
import type { JudgedEnding } from '../../../../../electron/talk/policies/reconnect-policy.ts';
import { refusedError, sessionError } from '../../../../../shared/errors/session-reasons.ts';
import { englishCarryOver } from '../../../../../shared/i18n/en/prompts.ts';
import { seeded } from '../../../../fakes/seeded.ts';
import { StoryWorld, type Weather } from './story-world.ts';

const lost: JudgedEnding = { error: sessionError('connection_lost'), by: 'network' };
const noNetwork: JudgedEnding = { error: sessionError('unreachable'), by: 'network' };
const notYet: JudgedEnding = { error: refusedError(503, ''), by: 'server' };
const revoked: JudgedEnding = { error: refusedError(401, ''), by: 'server' };

const weather: Weather = (seconds) => {
  if (seconds >= 60 && seconds < 90) return noNetwork;
  if (seconds >= 200 && seconds < 203) return notYet;
  return seconds > 650 ? revoked : undefined;
};

describe('ten minutes of a conversation', () => {
  it('survive half a minute without network, a restart, a sleep and the time limit', () => {
    const world = new StoryWorld(weather);
    world.begin();
    world.until(58);
    world.say(1, 'Once upon a time there was');
    world.until(60);
    world.end(lost);
    world.until(199);
    world.say(1, 'Where were we?');
    world.until(200);
    world.end({ error: sessionError('server_shutdown'), by: 'server' });
    world.until(300);
    world.sleep(45);
    world.wake();
    world.until(301);
    world.wake();
    world.until(600);
    world.end({ error: sessionError('timeout'), by: 'server' });
    world.until(640);
    world.begin();
    world.until(650);
    world.end(lost);
    world.until(700);

    expect(world.log).toEqual([
      '0.1 live',
      '60.0 connection_lost: again in 500',
      '60.6 unreachable: again in 1000',
      '61.7 unreachable: again in 2000',
      '63.8 unreachable: again in 4000',
      '67.9 unreachable: again in 8000',
      '76.0 unreachable: again in 10000',
      '86.1 unreachable: again in 10000',
      '96.2 live',
      '200.0 server_shutdown: again in 500',
      '200.6 refused: again in 1000',
      '201.7 refused: again in 2000',
      '203.8 live',
      '300.0 slept',
      '300.1 live',
      '540.0 60 s left',
      '585.0 15 s left',
      '600.0 timeout: continue',
      '640.1 live',
      '650.0 connection_lost: again in 500',
      '650.6 refused: checkToken',
    ]);
  });

  it('continue in a session that gets the heard turns, with cut ones marked', () => {
    const world = new StoryWorld(weather);
    world.begin();
    world.until(58);
    world.say(1, 'Once upon a time there was');
    world.until(60);
    world.end(lost);
    world.until(100);
    world.say(1, 'Where were we?');
    world.transcript.complete(1);
    world.until(200);
    world.end({ error: sessionError('server_shutdown'), by: 'server' });
    const turns = world.transcript.turns();
    const carried = carryOver({ turns, instructions: 'Be kind.', messages: englishCarryOver });
    expect(carried?.split('\n').filter((line) => line.startsWith('- '))).toEqual([
      '- Once upon a time there was […]',
      '- Where were we?',
    ]);
    expect(carried?.startsWith('Be kind.\n')).toBe(true);
  });

  it('reconnect within ten seconds of the network’s return, for any random delays', () => {
    for (let seed = 0; seed < 40; seed += 1) {
      const world = new StoryWorld((at) => (at < 90 ? noNetwork : undefined), seeded(seed));
      const open = new StoryWorld(
        (at) => (at >= 60 && at < 90 ? noNetwork : undefined),
        seeded(seed),
      );
      world.begin();
      world.until(70);
      expect(world.log).toEqual(['0.1 unreachable: retry']);
      open.begin();
      open.until(60);
      open.end(lost);
      open.until(100.2);
      expect(open.phase, `seed ${seed}`).toBe('live');
      const tries = open.log.filter((line) => line.includes('again in')).length;
      expect(tries).toBeGreaterThanOrEqual(6);
      expect(tries).toBeLessThanOrEqual(10);
    }
  });
});
