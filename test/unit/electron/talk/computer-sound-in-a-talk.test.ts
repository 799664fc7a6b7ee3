import { expect, it } from 'vitest';
import { Stage } from './stage.ts';

const withFilm = { addComputerSound: (part: Float32Array) => part.map((sample) => sample + 0.5) };

it('a talk sends the computer’s sound together with the microphone’s', () => {
  const stage = new Stage({}, withFilm).live().pass(100, 0.25);
  expect(new Set(stage.session.heard.slice(-320))).toEqual(new Set([0.75]));
});

it('a talk sends the computer’s sound while the user is muted', () => {
  const stage = new Stage({ muted: true }, withFilm).live().pass(100, 0.25);
  expect(new Set(stage.session.heard)).toEqual(new Set([0.5]));
});

it('a talk does not take a voice in a film for the user’s', () => {
  const users: boolean[] = [];
  const addComputerSound = (part: Float32Array, userSpeaks: boolean): Float32Array => {
    users.push(userSpeaks);
    return part.map((_, n) => Math.sin(n / 10));
  };
  new Stage({}, { addComputerSound }).live().pass(2000, 0);
  expect(new Set(users)).toEqual(new Set([false]));
});

it('a talk sends nothing of the computer while it is paused', () => {
  const stage = new Stage({}, withFilm).live();
  stage.talk.setPaused(true);
  stage.pass(100, 0.25);
  expect(stage.session.heard).toEqual([]);
});
