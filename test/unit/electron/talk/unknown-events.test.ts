import { expect, it } from 'vitest';
import { FakeLog } from '../../../fakes/fake-log.ts';
import { Stage } from './stage.ts';

it('a talk logs an unknown server event once', () => {
  const log = new FakeLog();
  const stage = new Stage({}, { log }).live();
  stage.session.emit({ event: 'unknown', type: 'response.think' });
  stage.session.emit({ event: 'unknown', type: 'response.think' });
  expect(log.lines).toHaveLength(1);
  expect(log.lines[0]).toContain('response.think');
});
