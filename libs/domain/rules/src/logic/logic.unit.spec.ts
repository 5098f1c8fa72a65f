import { quickestMs } from '../rules.fixture';
import { type Logic, keysNamed, logicCharactersMax, parseLogic } from './logic';

const keys = ['1', '2', '3', '4', '12'];

describe('logic of rules (1.1)', () => {
  it.each<[string, Logic]>([
    ['1', '1'],
    ['12', '12'],
    ['1 and 2', { join: 'and', parts: ['1', '2'] }],
    ['1 or 2', { join: 'or', parts: ['1', '2'] }],
    ['1 or 2 and 3', { join: 'or', parts: ['1', { join: 'and', parts: ['2', '3'] }] }],
    ['1 and 2 or 3', { join: 'or', parts: [{ join: 'and', parts: ['1', '2'] }, '3'] }],
    ['(1 or 2) and 3', { join: 'and', parts: [{ join: 'or', parts: ['1', '2'] }, '3'] }],
    ['1 AND (2 oR 3)', { join: 'and', parts: ['1', { join: 'or', parts: ['2', '3'] }] }],
    ['  1\tAnd\n2  ', { join: 'and', parts: ['1', '2'] }],
    ['1and2or3', { join: 'or', parts: [{ join: 'and', parts: ['1', '2'] }, '3'] }],
    ['(1)and(2)', { join: 'and', parts: ['1', '2'] }],
    ['((1))', '1'],
    ['1 and (2 and 3)', { join: 'and', parts: ['1', '2', '3'] }],
    ['(1 or 2) or (3 or 4)', { join: 'or', parts: ['1', '2', '3', '4'] }],
    ['1 and 1', { join: 'and', parts: ['1', '1'] }],
  ])('reads %j', (text, logic) => {
    expect(parseLogic(text, keys)).toEqual(logic);
  });

  it.each(['', ' ', '\n\t'])('joins all rules by AND where there is no text: %j', (text) => {
    expect(parseLogic(text, ['1', '2', '3'])).toEqual({ join: 'and', parts: ['1', '2', '3'] });
    expect(parseLogic(text, ['7'])).toBe('7');
  });

  it('restricts nothing without rules and text', () => {
    expect(parseLogic('', [])).toBeNull();
  });

  it.each([
    ['5', "Logic names rule '5', which is not defined"],
    ['1 and 123', "Logic names rule '123', which is not defined"],
    ['1 and', 'Logic ends too early'],
    ['1 or (', 'Logic ends too early'],
    ['(1 and 2', 'Logic has an unclosed bracket'],
    ['((1)', 'Logic has an unclosed bracket'],
    ['1)', "Logic has an unexpected ')' at position 2"],
    ['(1 and 2)) or 3', "Logic has an unexpected ')' at position 10"],
    ['()', "Logic has an unexpected ')' at position 2"],
    ['(1 and )', "Logic has an unexpected ')' at position 8"],
    ['and 1', "Logic has an unexpected 'and' at position 1"],
    ['1 AND OR 2', "Logic has an unexpected 'OR' at position 7"],
    ['1 2', "Logic has an unexpected '2' at position 3"],
    ['1 (2)', "Logic has an unexpected '(' at position 3"],
    ['(1) 2', "Logic has an unexpected '2' at position 5"],
    ['not 1', "Logic has an unexpected 'n' at position 1"],
    ['1 & 2', "Logic has an unexpected '&' at position 3"],
    ['01', "Logic has an unexpected '0' at position 1"],
    ['0', "Logic has an unexpected '0' at position 1"],
    ['-1', "Logic has an unexpected '-' at position 1"],
  ])('refuses %j', (text, problem) => {
    expect(parseLogic(text, keys)).toEqual({ problem });
  });

  it('reads 2,000 characters and no more', () => {
    const text = '1'.padEnd(logicCharactersMax);
    expect(parseLogic(text, keys)).toBe('1');
    expect(parseLogic(`${text} `, keys)).toEqual({
      problem: 'Logic must not have more than 2000 characters',
    });
  });

  it('reads as many brackets as fit in', () => {
    const depth = 999;
    expect(parseLogic(`${'('.repeat(depth)}1${')'.repeat(depth)}`, keys)).toBe('1');
  });

  it.each([
    ['100,000 characters', '1 and '.repeat(20_000), 'Logic must not have more than 2000 characters'],
    ['10,000 brackets', '('.repeat(10_000), 'Logic must not have more than 2000 characters'],
    ['2,000 open brackets', '('.repeat(2_000), 'Logic ends too early'],
    ['2,000 closed brackets', ')'.repeat(2_000), "Logic has an unexpected ')' at position 1"],
    ['groups within groups', `${'('.repeat(250)}1${' and 1)'.repeat(249)}`, 'Logic has an unclosed bracket'],
    ['1,999 characters of nonsense', '§'.repeat(1_999), "Logic has an unexpected '§' at position 1"],
  ])('refuses %s at once', (_, text, problem) => {
    expect(parseLogic(text, keys)).toEqual({ problem });
    expect(quickestMs(() => parseLogic(text, keys))).toBeLessThan(25);
  });

  it('tells which rules are named, in the order of their keys', () => {
    expect(keysNamed(parseLogic('12 or (3 and 1) or 3', keys) as Logic, keys)).toEqual(['1', '3', '12']);
    expect(keysNamed(parseLogic('2', keys) as Logic, keys)).toEqual(['2']);
    expect(keysNamed(null, [])).toEqual([]);
  });
});
