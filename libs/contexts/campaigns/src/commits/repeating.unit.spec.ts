import { UniqueViolation } from '@scrip/event-store';
import { Fault } from '@scrip/kernel';
import { againWhereLost, isLost, isWorthRepeating, wasRolledBack } from './repeating';

const reset = Object.assign(new Error('Connection terminated'), { code: 'ECONNRESET' });
const deadlock = Object.assign(new Error('deadlock detected'), { code: '40P01' });
const inStatement = (cause: Error): Fault => new Fault('unavailable', 'no answer', { cause });
const unique = new UniqueViolation({ kind: 'unique', constraint: 'publications_source_id' });

const lost = { lost: true, rolledBack: false, repeated: true };
const rolledBack = { lost: false, rolledBack: true, repeated: true };
const final = { lost: false, rolledBack: false, repeated: false };

it.each([
  ['a lost connection', reset, lost],
  ['a lost connection of a read, as where a deletion locks its campaign', inStatement(reset), lost],
  ['a deadlock', deadlock, rolledBack],
  ['a deadlock in a read, as where a hold locks its vouchers', inStatement(deadlock), rolledBack],
  ['a source id that is taken', unique, final],
  ['a full queue', new Fault('overloaded', 'too many wait'), final],
  ['a deadline', new Fault('deadline', 'too late'), final],
  ['a fault of the program', new TypeError('undefined'), final],
])('tells what %s means for a transaction', (_, error, expected) => {
  expect({
    lost: isLost(error),
    rolledBack: wasRolledBack(error),
    repeated: isWorthRepeating(error),
  }).toEqual(expected);
});

describe('a commit that finds what it did before', () => {
  it.each([
    ['a commit', reset],
    ['a read', inStatement(reset)],
  ])('is tried again after %s was lost, and returns what it comes to', async (_, error) => {
    const commit = jest.fn().mockRejectedValueOnce(error).mockResolvedValueOnce('done');
    expect(await againWhereLost(commit)).toBe('done');
  });

  it('is tried ten times', async () => {
    const commit = jest.fn().mockRejectedValue(reset);
    await expect(againWhereLost(commit)).rejects.toBe(reset);
    expect(commit).toHaveBeenCalledTimes(10);
  });

  it('is not tried again after a deadlock', async () => {
    const commit = jest.fn().mockRejectedValue(inStatement(deadlock));
    await expect(againWhereLost(commit)).rejects.toThrow('no answer');
    expect(commit).toHaveBeenCalledTimes(1);
  });
});
