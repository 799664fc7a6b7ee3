import { describe, expect, it } from 'vitest';
import { calculate } from '../../../../electron/tools/built-in/calculator.ts';
import {
  clockTools,
  describeTime,
  historyTools,
  reminderTools,
} from '../../../../electron/tools/built-in/built-in-tools.ts';
import { Reminders } from '../../../../electron/tools/built-in/reminders.ts';
import type { HistoryIndex } from '../../../../electron/recordings/history/history-index.ts';
import type { Tool } from '../../../../electron/tools/tool.ts';
import { ToolStore } from '../../../../electron/tools/tool-store.ts';
import { done, failure } from '../../../../shared/errors/app-error.ts';
import { noPage } from '../../../../shared/ipc/page.ts';
import type { JsonObject } from '../../../../shared/protocol/json.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { FakeStateFile } from '../../../fakes/fake-state-file.ts';
import { openHistoryOf, talkItem } from '../../../fakes/history-library.ts';

async function runTool(tools: readonly Tool[], name: string, args: JsonObject) {
  const tool = tools.find((each) => each.name === name);
  return tool?.run(args, { onStop: () => undefined });
}

const textOf = async (tools: readonly Tool[], name: string, args: JsonObject): Promise<string> => {
  const answered = await runTool(tools, name, args);
  return answered?.ok === true ? answered.value.text : JSON.stringify(answered);
};

describe('the calculator', () => {
  it.each([
    ['2 + 3 * 4', 14],
    ['(2 + 3) * 4', 20],
    ['-2 ^ 2', -4],
    ['2 ^ 3 ^ 2', 512],
    ['2 ^ -1', 0.5],
    ['10 % 4 - 1', 1],
    ['1.5e3 / .5', 3000],
    ['sqrt(16) + max(1, 2, 3)', 7],
    ['round(pi, 2)', 3.14],
    ['12 × 3 ÷ 4 − 1', 8],
  ])('calculates %s', (expression, value) => {
    expect(calculate(expression)).toEqual({ ok: true, value });
  });

  it.each([
    ['process.exit()', 'Unknown: "process".'],
    ['constructor', 'Unknown: "constructor".'],
    ['1 / 0', 'Division by zero.'],
    ['2 +', 'The expression is not complete.'],
    ['(1', '")" is missing.'],
    ['1 2', 'Unexpected "2".'],
    ['', 'The expression is not complete.'],
    ['sqrt(-1)', 'The result is undefined or too large.'],
    ['9^9^9^9', 'The result is undefined or too large.'],
    ['sqrt(1, 2)', 'sqrt takes one value.'],
    ['('.repeat(500), 'The expression has too many brackets.'],
    ['1+'.repeat(600), 'The expression is too long.'],
  ])('refuses %s with an explanation', (expression, problem) => {
    expect(calculate(expression)).toEqual({ ok: false, problem });
  });
});

describe('the clock', () => {
  const noon = Date.UTC(2026, 10, 28, 12, 5);

  it('tells the date, weekday and time, also of another time zone', async () => {
    const tools = clockTools(() => noon);
    expect(describeTime(noon, 'UTC')).toMatch(/^Saturday, 2026-11-28 12:05 GMT/u);
    expect(await textOf(tools, 'current_time', { time_zone: 'Asia/Tokyo' })).toBe(
      'Saturday, 2026-11-28 21:05 GMT+09:00',
    );
    expect(await textOf(tools, 'current_time', { time_zone: 'Mars/Base' })).toContain('Mars/Base');
    expect(await textOf(tools, 'calculate', { expression: '0.1 + 0.2' })).toBe('0.3');
  });
});

function damagedFile(text: string) {
  const disk = new Map([['settings.json', text]]);
  return { disk, file: new FakeStateFile(disk) };
}

function openReminders(file = new FakeStateFile()) {
  const clock = new FakeClock();
  const problems: object[] = [];
  const start = Date.UTC(2026, 10, 28, 12);
  const wallClock = () => start + clock.now();
  const reminders = new Reminders({
    file,
    clock,
    wallClock,
    onChanged: () => undefined,
    onDamaged: (error) => problems.push(error),
  });
  const due = () => reminders.due();
  return { clock, due, problems, file, reminders, tools: reminderTools(reminders, wallClock) };
}

describe('a reminder', () => {
  it('is due after its minutes', async () => {
    const { clock, due, reminders, tools } = openReminders();
    const said = await textOf(tools, 'set_reminder', { text: 'call home', in_minutes: 10 });
    expect(said).toContain('call home');
    clock.advance(9 * 60_000 + 59_000);
    expect(due()).toEqual([]);
    clock.advance(1000);
    expect(due()).toMatchObject([{ text: 'call home' }]);
    expect(reminders.list()).toEqual([]);
  });

  it('survives a restart, and is due at once if its time passed meanwhile', async () => {
    const first = openReminders();
    await first.reminders.add('soon', first.clock.now() + 1);
    const later = Date.UTC(2026, 10, 28, 13);
    await first.reminders.add('later', later);
    await first.reminders.end();
    const second = openReminders(first.file);
    second.reminders.begin();
    expect(second.due()).toMatchObject([{ text: 'soon' }]);
    expect(second.reminders.list()).toMatchObject([{ text: 'later', at: later }]);
    second.clock.advance(3_600_000);
    expect(second.due()).toHaveLength(2);
  });

  it('never reuses the number of a due reminder, which is shown until the user dismisses it', async () => {
    const first = openReminders();
    await first.reminders.add('tea', Date.UTC(2026, 10, 28, 12, 3));
    await first.reminders.add('bread', Date.UTC(2026, 10, 28, 12, 5));
    first.clock.advance(600_000);
    await first.reminders.add('cake', Date.UTC(2026, 10, 28, 12, 20));
    expect(first.due().map(({ id }) => id)).toEqual([1, 2]);
    expect(first.reminders.list()).toMatchObject([{ id: 3, text: 'cake' }]);
    const second = openReminders(first.file);
    second.clock.advance(3_600_000);
    second.reminders.begin();
    await second.reminders.add('jam', Date.UTC(2026, 10, 28, 14));
    expect(second.due()).toMatchObject([{ id: 1 }, { id: 2 }, { id: 3, text: 'cake' }]);
    expect(second.reminders.list()).toMatchObject([{ id: 4, text: 'jam' }]);
  });

  it('stays until the user dismisses it, even if Parley quits before that', async () => {
    const first = openReminders();
    await first.reminders.add('tea', Date.UTC(2026, 10, 28, 12, 3));
    await first.reminders.add('bread', Date.UTC(2026, 10, 28, 12, 5));
    first.clock.advance(600_000);
    await first.reminders.dismiss(1);
    await first.reminders.end();
    const second = openReminders(first.file);
    second.clock.advance(3_600_000);
    second.reminders.begin();
    expect(second.due()).toMatchObject([{ text: 'bread' }]);
    await second.reminders.dismiss(2);
    const third = openReminders(first.file);
    third.reminders.begin();
    expect(third.due()).toEqual([]);
  });

  it('that was due before Parley quit is marked, so that nobody is notified of it again', async () => {
    const first = openReminders();
    await first.reminders.add('tea', Date.UTC(2026, 10, 28, 12, 3));
    await first.reminders.add('bread', Date.UTC(2026, 10, 28, 12, 20));
    first.clock.advance(600_000);
    expect(first.due()).toEqual([{ id: 1, at: Date.UTC(2026, 10, 28, 12, 3), text: 'tea' }]);
    await first.reminders.end();
    const second = openReminders(first.file);
    second.clock.advance(3_600_000);
    second.reminders.begin();
    expect(second.due().map(({ text, wasDue }) => [text, wasDue])).toEqual([
      ['tea', true],
      ['bread', undefined],
    ]);
  });

  it('that is due is listed, and can be cancelled to make room for another', async () => {
    const { clock, due, reminders, tools } = openReminders();
    for (let count = 0; count < 100; count += 1)
      await reminders.add(`tea ${count}`, Date.UTC(2026, 10, 28, 12, 1));
    clock.advance(60_000);
    expect(due()).toHaveLength(100);
    const another = { text: 'bread', in_minutes: 3 };
    expect(await textOf(tools, 'set_reminder', another)).toContain('remindersMany');
    expect(await textOf(tools, 'list_reminders', {})).toMatch(/^1: .*tea 0 \(due\)$/mu);
    expect(await textOf(tools, 'cancel_reminder', { number: 1 })).toContain('cancelled');
    expect(await textOf(tools, 'set_reminder', another)).toContain('The reminder is set.');
    expect(await textOf(tools, 'list_reminders', {})).toMatch(/^101: .*bread$/mu);
  });

  it('is listed and cancelled by its number', async () => {
    const { clock, due, tools } = openReminders();
    await textOf(tools, 'set_reminder', { text: 'tea', in_minutes: 3 });
    expect(await textOf(tools, 'list_reminders', {})).toMatch(/^1: .*tea$/u);
    expect(await textOf(tools, 'cancel_reminder', { number: 1 })).toContain('cancelled');
    expect(await textOf(tools, 'cancel_reminder', { number: 1 })).toContain('reminderGone');
    clock.advance(600_000);
    expect(due()).toEqual([]);
  });

  it.each([
    [{ text: 'x' }, 'Give in_minutes or at.'],
    [{ text: 'x', at: 'tomorrow' }, 'Write at as 2026-01-31T14:30.'],
    [{ text: 'x', at: '2020-01-01T00:00' }, 'That time has passed.'],
    [{ text: 'x', at: '2026-13-45T99:99' }, 'There is no such time.'],
    [{ text: 'x', at: '2099-01-01T00:00' }, 'That is more than five years away.'],
  ])('is refused with an explanation: %j', async (args, sentence) => {
    const { tools } = openReminders();
    expect(await textOf(tools, 'set_reminder', args)).toContain(sentence);
  });

  it('is refused if a hundred are set', async () => {
    const { tools } = openReminders();
    const set = () => textOf(tools, 'set_reminder', { text: 'x', in_minutes: 1 });
    for (let count = 0; count < 100; count += 1) await set();
    expect(await set()).toContain('remindersMany');
  });

  it('is dropped if its file is damaged, and Parley sets the file aside and reports that', () => {
    const { file, disk } = damagedFile('{"reminders":[{"id":"x"}]}');
    const { reminders, problems } = openReminders(file);
    reminders.begin();
    expect(reminders.list()).toEqual([]);
    expect(problems).toMatchObject([
      {
        code: 'remindersPutAside',
        facts: { path: expect.stringContaining('damaged-1') as string },
      },
    ]);
    expect(disk.has('settings.damaged-1.json')).toBe(true);
  });

  it('is refused while the file cannot be read, and joins the stored reminders after the file can be read again', async () => {
    const first = openReminders();
    await first.reminders.add('stored', Date.UTC(2026, 10, 28, 13));
    const { reminders } = openReminders(first.file);
    first.file.readFailure = failure('fileUnusable', { path: 'settings.json', error: 'EACCES' });
    reminders.begin();
    expect(await reminders.add('new', Date.UTC(2026, 10, 28, 14))).toMatchObject({ ok: false });
    expect(await reminders.cancel(1)).toMatchObject({ error: { code: 'fileUnusable' } });
    expect(await reminders.dismiss(1)).toMatchObject({ error: { code: 'fileUnusable' } });
    first.file.readFailure = undefined;
    await reminders.add('new', Date.UTC(2026, 10, 28, 14));
    expect(reminders.list()).toMatchObject([{ text: 'stored' }, { text: 'new' }]);
  });
});

/** An index in which every talk matches every search. */
function indexOf(ids: readonly string[]): HistoryIndex {
  const written = () => Promise.resolve(done);
  return {
    known: () => Promise.resolve({ ok: true, value: [] }),
    put: written,
    remove: written,
    find: ({ skip, count }) => {
      const items = ids.slice(skip, skip + count).map((id) => talkItem(id));
      return Promise.resolve({ ok: true, value: { items, total: ids.length } });
    },
    clear: written,
    bytes: () => Promise.resolve({ ok: true, value: 0 }),
    close: () => Promise.resolve(),
  };
}

describe('the search in History', () => {
  it('quotes each passage with its time and title', async () => {
    const tools = historyTools(() =>
      Promise.resolve({
        ok: true,
        value: [{ title: 'Trip', kind: 'talk', at: 0, excerpt: 'the lighthouse was open' }],
      }),
    );
    expect(await textOf(tools, 'search_history', { words: 'lighthouse' })).toMatch(
      /1970-01-01 .*, talk "Trip": the lighthouse was open/u,
    );
  });

  it('finds as many passages as the model asks for, although the first are withheld', async () => {
    const { library } = openHistoryOf([], indexOf(['a', 'b', 'c', 'd', 'e']));
    const refs = ['a', 'b'].map((id) => ({ kind: 'talk', id }) as const);
    library.withhold(refs, true, noPage.whenGone);
    const found = await library.searchAllowed('lighthouse', 2);
    expect(found.ok && found.value.map(({ item }) => item.id)).toEqual(['c', 'd']);
  });
});

const ignore = (): undefined => undefined;

describe('the store of what tools may do', () => {
  it('keeps shared paths and always-allowed tools across a restart', async () => {
    const file = new FakeStateFile();
    const store = new ToolStore(file, ignore, ignore);
    await store.share('/a');
    await store.share('/b');
    await store.unshare('/a');
    await store.allowAlways({ server: '', tool: 'calculate' });
    const again = new ToolStore(file, ignore, ignore);
    expect(again.sharedPaths).toEqual(['/b']);
    expect(again.isAlwaysAllowed({ server: '', tool: 'calculate' })).toBe(true);
    expect(again.isAlwaysAllowed({ server: 'x', tool: 'calculate' })).toBe(false);
    await again.askAgain({ server: '', tool: 'calculate' });
    expect(again.isAlwaysAllowed({ server: '', tool: 'calculate' })).toBe(false);
  });

  it('allows nothing if its file is damaged; Parley sets the file aside and tells the user', () => {
    const problems: object[] = [];
    const { file } = damagedFile('{"always":"all"}');
    const store = new ToolStore(file, ignore, (error) => problems.push(error));
    expect(store.always).toEqual([]);
    expect(store.sharedPaths).toEqual([]);
    expect(problems).toMatchObject([
      { code: 'toolsPutAside', facts: { path: 'settings.damaged-1.json' } },
    ]);
  });

  it('does not overwrite a file that cannot be read', async () => {
    const file = new FakeStateFile();
    await new ToolStore(file, ignore, ignore).share('/a');
    const store = new ToolStore(file, ignore, ignore);
    file.readFailure = failure('fileUnusable', { path: 'settings.json', error: 'EACCES' });
    expect(store.sharedPaths).toEqual([]);
    expect(await store.share('/b')).toMatchObject({ error: { code: 'fileUnusable' } });
    file.readFailure = undefined;
    expect(store.sharedPaths).toEqual(['/a']);
  });
});
