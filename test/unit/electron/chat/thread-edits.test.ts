import { appError } from '../../../../shared/errors/app-error.ts';
import { describe, expect, it } from 'vitest';
import { ChatSessionStage, done, pageOf, words } from './chat-session-stage.ts';

function texts(stage: ChatSessionStage): readonly string[] {
  return stage.turns.map((turn) =>
    turn.role === 'assistant'
      ? turn.text
      : turn.parts.map((part) => (part.type === 'text' ? part.text : part.type)).join(' '),
  );
}

function idAt(stage: ChatSessionStage, index: number): string {
  return stage.turns[index]?.id ?? '';
}

function talk(): ChatSessionStage {
  return new ChatSessionStage().exchange('One', '1').exchange('Two', '2');
}

describe('an edited conversation', () => {
  it('makes a branch of the replaced turns when a question is edited, and can restore it', () => {
    const stage = talk();
    const begin = stage.chat.conversation;
    const before = stage.patches.length;
    expect(stage.chat.edit(idAt(stage, 0), words('Uno'))).toEqual({ ok: true });
    stage.say(done('I'));
    expect(texts(stage)).toEqual(['Uno', 'I']);
    expect(stage.questions.at(-1)?.messages).toEqual([{ role: 'user', content: 'Uno' }]);
    const [branch] = stage.chat.conversation.branches;
    expect(branch?.turns).toHaveLength(4);
    expect(stage.chat.chooseBranch(branch?.id ?? '')).toEqual({ ok: true });
    expect(texts(stage)).toEqual(['One', '1', 'Two', '2']);
    stage.chat.chooseBranch(stage.chat.conversation.branches[0]?.id ?? '');
    expect(texts(stage)).toEqual(['Uno', 'I']);
    expect(pageOf(begin, stage.patches.slice(before)).turns).toEqual(stage.turns);
  });

  it('makes a branch of an answer and what followed when it is retried', () => {
    const stage = talk();
    stage.chat.retry(idAt(stage, 1));
    stage.say(done('eins'));
    expect(texts(stage)).toEqual(['One', 'eins']);
    expect(stage.chat.conversation.branches).toMatchObject([
      { after: idAt(stage, 0), turns: [{ text: '1' }, {}, { text: '2' }] },
    ]);
  });

  it('keeps no branch of empty answers', () => {
    const stage = new ChatSessionStage();
    stage.chat.send(words('One'));
    stage.sockets.line.end({ kind: 'unreachable', error: appError('badAddress') });
    stage.chat.retry(idAt(stage, 0));
    stage.live().say(done('1'));
    expect(texts(stage)).toEqual(['One', '1']);
    expect(stage.chat.conversation.branches).toEqual([]);
  });

  it('changes nothing if the new question cannot be asked', () => {
    const stage = talk();
    const before = stage.chat.conversation;
    expect(stage.chat.edit(idAt(stage, 0), words(''))).toMatchObject({ ok: false });
    expect(stage.chat.edit(idAt(stage, 1), words('x'))).toMatchObject({ ok: false });
    expect(stage.chat.retry('none')).toMatchObject({ ok: false });
    expect(stage.chat.chooseBranch('none')).toMatchObject({ ok: false });
    expect(stage.chat.conversation).toBe(before);
  });
});

describe('a removal', () => {
  it('removes a question with its answer, and leaves what followed', () => {
    const stage = talk();
    stage.chat.remove(idAt(stage, 0));
    expect(texts(stage)).toEqual(['Two', '2']);
    stage.exchange('Three', '3');
    expect(stage.questions.at(-1)?.messages.map(({ content }) => content)).toEqual([
      'Two',
      '2',
      'Three',
    ]);
  });

  it('removes an answer alone, and its question can be retried', () => {
    const stage = talk();
    stage.chat.remove(idAt(stage, 1));
    expect(texts(stage)).toEqual(['One', 'Two', '2']);
    stage.chat.retry(idAt(stage, 0));
    stage.say(done('1'));
    expect(texts(stage)).toEqual(['One', '1']);
  });

  it('removes the question’s other answers, and keeps branches that follow', () => {
    const stage = talk();
    stage.chat.edit(idAt(stage, 2), words('Zwei'));
    stage.say(done('II'));
    stage.chat.retry(idAt(stage, 1));
    stage.say(done('eins'));
    expect(stage.chat.conversation.branches).toHaveLength(2);
    stage.chat.remove(idAt(stage, 0));
    expect(stage.chat.conversation.branches).toEqual([]);
    const other = talk();
    other.chat.edit(idAt(other, 2), words('Zwei'));
    other.say(done('II'));
    other.chat.remove(idAt(other, 0));
    other.chat.chooseBranch(other.chat.conversation.branches[0]?.id ?? '');
    expect(texts(other)).toEqual(['Two', '2']);
  });
});
