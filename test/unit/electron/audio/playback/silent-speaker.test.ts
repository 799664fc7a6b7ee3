import { expect, it } from 'vitest';
import { SilentSpeaker } from '../../../../../electron/audio/playback/playback.ts';
import { numbered } from '../devices/sound-stage.ts';

function open() {
  const clock = { time: 700, now: () => clock.time };
  const speaker = new SilentSpeaker(clock);
  const heard: number[] = [];
  speaker.buffer.listen((samples) => heard.push(...samples));
  return { clock, speaker, heard };
}

it('a silent speaker consumes sound in real time from the first write', () => {
  const { clock, speaker, heard } = open();
  speaker.buffer.write(numbered(0, 4800), 1);
  speaker.send();
  expect(heard).toHaveLength(0);
  clock.time += 50;
  speaker.follow();
  expect(heard).toEqual([...numbered(0, 1200)]);
  clock.time += 100;
  speaker.follow();
  expect(heard).toHaveLength(3600);
  clock.time += 100;
  speaker.follow();
  expect(heard).toHaveLength(4800);
});

it('a silent speaker stands still when its clock goes back', () => {
  const { clock, speaker, heard } = open();
  speaker.buffer.write(numbered(0, 4800), 1);
  speaker.send();
  clock.time -= 100;
  speaker.follow();
  clock.time += 10;
  speaker.follow();
  expect(heard).toHaveLength(240);
});

it('a silent speaker reports the heard samples at a flush', () => {
  const { clock, speaker, heard } = open();
  speaker.buffer.write(numbered(0, 4800), 1);
  speaker.send();
  clock.time += 50;
  expect(speaker.flush()).toEqual({ dropped: 3600, answer: 3600, heard: 1200 });
  clock.time += 50;
  speaker.follow();
  expect(heard).toHaveLength(1200);
});
