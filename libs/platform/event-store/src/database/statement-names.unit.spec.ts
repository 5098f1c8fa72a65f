import { StatementNames } from './statement-names';

const run = (names: StatementNames, text: string, times: number): (string | undefined)[] =>
  Array.from({ length: times }, () => names.nameFor(text));

describe('a statement', () => {
  it('has a name from its sixth run on', () => {
    expect(run(new StatementNames(), 'SELECT $1', 7)).toEqual([
      ...Array.from({ length: 5 }, () => undefined),
      'scrip_0_0',
      'scrip_0_0',
    ]);
  });

  it('shares its name with no other one', () => {
    const names = new StatementNames();
    expect(run(names, 'SELECT $1', 6).at(-1)).toBe('scrip_0_0');
    expect(run(names, 'SELECT $2', 6).at(-1)).toBe('scrip_1_0');
  });

  it('gets a new name, and so a new plan, after sixteen times as many runs', () => {
    const seen = run(new StatementNames(), 'SELECT $1', 300);
    expect([seen[14], seen[15], seen[254], seen[255]]).toEqual([
      'scrip_0_0',
      'scrip_0_1',
      'scrip_0_1',
      'scrip_0_2',
    ]);
  });

  it('gets none when five hundred others have one', () => {
    const names = new StatementNames();
    for (let other = 0; other < 500; other += 1) run(names, `SELECT ${other}`, 5);
    expect(run(names, 'SELECT $1', 10)).toEqual(Array.from({ length: 10 }, () => undefined));
    expect(names.nameFor('SELECT 499')).toBe('scrip_499_0');
  });
});
