import { createColors } from 'picocolors';
import { type CommandEnd, calc } from './calc';
import { amountOff, clock, draft } from './calc.fixture';

const files: Record<string, string> = {
  'right.json': draft({ order: { amount: 1999 }, redeemables: [amountOff('A', 500)] }),
  'invalid.json': draft({ redeemables: [amountOff('A', 500, { active: false })] }),
  'wrong.json': draft({ order: [], redeemables: [{ object: 'voucher' }] }),
  'broken.json': '{',
};

const run = (...args: string[]): CommandEnd =>
  calc(args, {
    readFile: (path) => {
      const text = files[path];
      if (text === undefined) throw new Error(`ENOENT: no such file, open '${path}'`);
      return text;
    },
    now: clock,
    colours: createColors(false),
  });

describe('calc', () => {
  it('prints a report', () => {
    expect(run('right.json')).toEqual({
      output: `1. voucher A  APPLICABLE  5.00 off, 14.99 left
   AMOUNT 5.00, APPLY_TO_ORDER
   off the order: 5.00

The order
   amount         19.99
   off the order  -5.00
   total          14.99

Valid.
`,
      errors: '',
      exitCode: 0,
    });
  });

  it('prints amounts in minor units where asked', () => {
    const { output } = run('right.json', '--minor');
    expect(output).toContain('APPLICABLE  500 off, 1499 left');
    expect(output).not.toContain('.99');
  });

  it('prints the whole calculation as JSON where asked', () => {
    const { output, errors, exitCode } = run('--json', 'right.json');
    expect({ errors, exitCode }).toEqual({ errors: '', exitCode: 0 });
    expect(output.endsWith('}\n')).toBe(true);
    expect(JSON.parse(output)).toMatchObject({
      valid: true,
      redeemables: [{ object: 'voucher', id: 'A', status: 'APPLICABLE', order: { total_amount: 1499 } }],
      order: { amount: 1999, total_amount: 1499 },
      consumption: { credits: [], points: [], units: [] },
    });
  });

  it('ends with 0 also where nothing is valid', () => {
    expect(run('invalid.json')).toMatchObject({ errors: '', exitCode: 0 });
  });

  it.each([
    [
      ['wrong.json'],
      'wrong.json cannot be calculated:\n  order: must be an object, not []\n  redeemables[0].id: is missing\n',
    ],
    [
      ['broken.json'],
      'broken.json cannot be calculated:\n  not JSON: close brace expected at line 1, column 2\n',
    ],
    [['none.json'], "none.json cannot be read: ENOENT: no such file, open 'none.json'\n"],
    [[], 'npm run calc -- <file.json> [--json] [--minor]\n'],
    [['right.json', 'wrong.json'], 'npm run calc -- <file.json> [--json] [--minor]\n'],
  ])('ends with 2 for %j', (args, errors) => {
    expect(run(...args)).toEqual({ output: '', errors, exitCode: 2 });
  });

  it('ends with 2 for options that do not exist, and says which do', () => {
    const { errors, exitCode } = run('right.json', '--yaml');
    expect(exitCode).toBe(2);
    expect(errors).toMatch(/--yaml[\s\S]*\nnpm run calc -- <file.json> \[--json\] \[--minor\]\n$/);
  });
});
