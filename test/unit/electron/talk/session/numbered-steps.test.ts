import { describe, expect, it } from 'vitest';
import type {
  DoneEvent,
  ListenEvent,
  OutputEvent,
  ServerEvent,
} from '../../../../../shared/protocol/server-event.ts';
import { turnsOf } from './emitted-turns.ts';
import { listen, sound, text } from './server-events.ts';
import { Scene } from './session-scene.ts';

/** The C++ server's answer to the append with this number. */
function step(number: number, event: ListenEvent | OutputEvent | DoneEvent): ServerEvent {
  return { ...event, responseId: `sess_1_resp_${number}` };
}
const done: DoneEvent = { kind: 'done', text: '', reason: 'turn_end' };

function second(scene: Scene, ...events: readonly ServerEvent[]): void {
  scene
    .speak(1)
    .wait(400)
    .say(...events)
    .wait(600);
}

describe('a server that numbers its steps and echoes no id', () => {
  it('gets each second at once, although some steps have no events', () => {
    const scene = new Scene().live();
    second(scene, step(1, listen()));
    for (let append = 2; append <= 60; append += 1)
      second(scene, ...(append % 3 === 0 ? [] : [step(append, listen())]));
    expect(scene.appends).toHaveLength(60);
    expect(scene.emittedOf('sent').filter(({ waitedMs }) => waitedMs !== undefined)).toEqual([]);
  });

  it('gets each second at once, although six steps in a row have no events', () => {
    const scene = new Scene().live();
    second(scene, step(1, listen()));
    for (let append = 2; append <= 8; append += 1) second(scene);
    expect(scene.appends).toHaveLength(8);
    expect(scene.emittedOf('dropped')).toEqual([]);
  });

  it('gets each second at once, although it has not answered yet', () => {
    const scene = new Scene().live();
    scene.speak(8);
    expect(scene.appends).toHaveLength(8);
    for (let append = 8; append <= 20; append += 1) scene.say(step(append, listen())).speak(1);
    expect(scene.appends).toHaveLength(21);
    expect(scene.emittedOf('sent').filter(({ waitedMs }) => waitedMs !== undefined)).toEqual([]);
  });

  it('may count from zero', () => {
    const scene = new Scene().live();
    for (let append = 0; append < 30; append += 1)
      second(scene, ...(append % 3 === 1 ? [] : [step(append, listen())]));
    expect(scene.emittedOf('sent').filter(({ waitedMs }) => waitedMs !== undefined)).toEqual([]);
  });

  it('settles a step with its done, which does not end the turn', () => {
    const scene = new Scene().live();
    scene.speak(3).say(step(1, listen()), step(2, text('a')));
    scene.say(step(2, done), step(3, done)).speak(3);
    expect(scene.appends).toHaveLength(6);
    expect(turnsOf(scene)).toEqual(['listens', 'text 1 a']);
  });

  it('does not settle a step with sound, regardless of its number', () => {
    const scene = new Scene().live();
    scene.speak(3).say(step(1, listen()), step(3, sound())).speak(3);
    expect(scene.appends).toHaveLength(4);
  });

  it('gets no more than it can handle at two seconds per step', () => {
    const scene = new Scene().live();
    for (let append = 1; append <= 15; append += 1) scene.speak(2).say(step(append, listen()));
    expect(scene.appends.length).toBeLessThanOrEqual(15 + 3);
  });

  it('does not count as closing turns within the step if a listen follows late sound', () => {
    const scene = new Scene().live();
    scene.speak(1).say(step(1, listen()));
    scene
      .speak(1)
      .say(step(2, text('a')), step(2, done))
      .wait(990)
      .say(step(2, sound()))
      .wait(10);
    second(scene, step(3, listen()));
    second(scene, step(4, text('b')), step(4, sound()));
    second(scene, step(5, listen()));
    expect(turnsOf(scene).filter((turn) => turn === 'yields')).toEqual([]);
  });

  it('sends late parts of a cut answer, which are ignored until the next answer', () => {
    const scene = new Scene().live();
    scene
      .speak(1)
      .say(step(1, listen()))
      .speak(1)
      .say(step(2, text('a')));
    scene.session.interrupt();
    scene.speak(1).say(step(3, listen()), step(4, sound()));
    const cut = turnsOf(scene).length;
    scene.say(step(4, sound()));
    expect(turnsOf(scene)).toHaveLength(cut);
    scene.speak(1).say(step(5, text('b')), step(5, sound()));
    expect(turnsOf(scene).slice(-2)).toEqual(['text 2 b', 'audio 2']);
  });

  it('sends late sound that belongs to the turn a listen has ended', () => {
    const scene = new Scene().live();
    second(scene, step(1, listen()));
    scene
      .speak(1)
      .wait(400)
      .say(step(2, text('a')), step(2, listen()), step(2, done))
      .wait(1200)
      .say(step(3, sound()), step(3, listen()))
      .wait(400);
    expect(turnsOf(scene)).toEqual([
      'listens',
      'text 1 a',
      'listens',
      'audio 1',
      'ended 1',
      'listens',
    ]);
  });

  it('ends a turn before the next one, although its sound has not arrived', () => {
    const scene = new Scene().live();
    second(scene, step(1, listen()));
    second(scene, step(2, text('a')), step(2, listen()));
    second(scene, step(3, text('b')), step(3, sound()));
    expect(turnsOf(scene).slice(1)).toEqual([
      'text 1 a',
      'listens',
      'ended 1',
      'text 2 b',
      'audio 2',
    ]);
  });

  it('yields a turn that waits for its sound after an interruption', () => {
    const scene = new Scene().live();
    second(scene, step(1, listen()));
    scene.speak(1).say(step(2, text('a')), step(2, listen()));
    scene.session.interrupt();
    scene.say(step(2, sound())).speak(1).say(step(3, listen()), step(3, sound())).wait(3000);
    expect(turnsOf(scene).slice(1)).toEqual(['text 1 a', 'listens', 'yields']);
  });

  it('is not confused with a server that numbers its answers', () => {
    const scene = new Scene().live().speak(3);
    scene
      .say(listen())
      .speak(1)
      .say(step(1, text('a')))
      .wait(500)
      .say(step(1, text('b')));
    scene.speak(2);
    expect(scene.appends).toHaveLength(6);
  });
});
