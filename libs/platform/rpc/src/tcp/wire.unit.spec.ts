import { Fault, noDeadline } from '@scrip/kernel';
import { ProtocolError } from './frame-socket';
import { answerOf, callOf, failureOf, kindOf, portsOf, sendable } from './wire';

const context = { deadlineAt: 1_000 };

describe('messages between processes', () => {
  it.each<[unknown, string]>([
    [[1, 'campaigns', 'claim', context, null], 'number'],
    [['ping'], 'ping'],
  ])('%j is a %s', (message, kind) => {
    expect(kindOf(message)).toBe(kind);
  });

  it.each([[{}], ['ping'], [null], [[]], [[null]], [[{ id: 1 }]]])('%j is none', (message) => {
    expect(() => kindOf(message)).toThrow(ProtocolError);
  });

  it.each<[string, unknown[]]>([
    ['a number', [1.5, 'campaigns', 'claim', context, null]],
    ['a port', [1, 7, 'claim', context, null]],
    ['a method', [1, 'campaigns', null, context, null]],
    ['a context', [1, 'campaigns', 'claim', null, null]],
    ['a deadline', [1, 'campaigns', 'claim', { deadlineAt: null }, null]],
  ])('a call without %s is refused', (_what, message) => {
    expect(() => callOf(message)).toThrow(ProtocolError);
  });

  it.each<[unknown[], boolean]>([
    [[1, 'answer', { a: 1 }], true],
    [[1, 'answer'], true],
    [[1, 'fault', 'overloaded', true], true],
    [[1, 'defect'], true],
    [[1, 'fault', 'bored', true], false],
    [[1, 'stack', 'at index.ts'], false],
    [[1], false],
  ])('%j as an answer: %p', (message, sound) => {
    if (sound) expect(answerOf(message)).toBe(message);
    else expect(() => answerOf(message)).toThrow(ProtocolError);
  });

  it.each([[['welcome', 'proof']], [['welcome', 'proof', 'auth']], [['welcome', 'proof', [1]]]])(
    '%j lists no ports',
    (message) => {
      expect(() => portsOf(message)).toThrow(ProtocolError);
    },
  );
});

describe('what a caller gets to know of an error', () => {
  it('is the kind of a fault and whether to try again, not its text', () => {
    expect(failureOf(3, new Fault('unavailable', 'password of db-7 is wrong'))).toEqual([
      3,
      'fault',
      'unavailable',
      true,
    ]);
    expect(failureOf(3, new Fault('overloaded', 'x', { retryable: false }))).toEqual([
      3,
      'fault',
      'overloaded',
      false,
    ]);
  });

  it('is of a defect nothing', () => {
    expect(failureOf(3, new Error('column "secret" does not exist'))).toEqual([3, 'defect']);
  });
});

describe('a context without deadline', () => {
  it.each([[Number.POSITIVE_INFINITY], [Number.NaN]])('%p travels as a number', (deadlineAt) => {
    expect(sendable({ deadlineAt })).toEqual({ deadlineAt: noDeadline });
  });

  it('stays as it is with one', () => {
    expect(sendable(context)).toBe(context);
  });
});
