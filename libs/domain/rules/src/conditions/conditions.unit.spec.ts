import { type ValueKind, checkConditions, compileConditions, isProblem, operatorNames } from './conditions';
import { hold, problemOf, tuesday } from './hold.fixture';

const compiled = (definition: Record<string, unknown>) => {
  const conditions = compileConditions(definition, 'number', 'order.amount');
  if (isProblem(conditions)) throw new Error(conditions.problem);
  return conditions;
};

describe('several operators', () => {
  it.each([
    [10_000, false],
    [10_001, true],
    [14_999, true],
    [15_000, false],
  ])(
    'must all hold: more than 10000 and less than 15000 is for %p %p (reference 02 §2)',
    (value, expected) => {
      expect(hold({ $more_than: [10_000], $less_than: [15_000] }, value, 'number')).toBe(expected);
    },
  );

  it.each([[5], ['a'], [null], [undefined], [[]], [{}]])(
    'are none in empty conditions: true for %p',
    (value) => {
      expect(hold({}, value)).toBe(true);
      const omitted = compileConditions(undefined, 'metadata', 'r');
      expect(!isProblem(omitted) && omitted.hold(value, tuesday)).toBe(true);
      expect(!isProblem(omitted) && omitted.failed(value, tuesday)).toBeNull();
    },
  );

  it('tell the first that does not hold, with its operands as sent', () => {
    const conditions = compiled({ $greater_than: ['10'], $less_than: [20] });
    expect(conditions.failed(15, tuesday)).toBeNull();
    expect(conditions.failed(10, tuesday)).toEqual({ operator: '$greater_than', expected: ['10'] });
    expect(conditions.failed(20, tuesday)).toEqual({ operator: '$less_than', expected: [20] });
    expect(conditions.failed(undefined, tuesday)).toEqual({ operator: '$greater_than', expected: ['10'] });
    expect(Object.keys(conditions.failed(10, tuesday) ?? {})).toEqual(['operator', 'expected']);
  });
});

describe('absent values', () => {
  const operands: Record<string, unknown[]> = {
    $is: ['a'],
    $is_not: ['a'],
    $in: ['a'],
    $not_in: ['a'],
    $less_than: [1],
    $less_than_or_equal: [0],
    $more_than: [-1],
    $more_than_or_equal: [0],
    $greater_than: [-1],
    $greater_than_or_equal: [0],
    $after: ['2020-01-01'],
    $before: ['2030-01-01'],
    $starts_with: [''],
    $ends_with: [''],
    $contains: [''],
    $count: [0],
    $count_more: [0],
    $count_less: [1],
    $not_differ: [],
    $not_intersect: ['a'],
    $is_days_ago: [0],
    $more_than_ago: [0],
    $less_than_ago: [1],
    $is_days_in_future: [0],
    $more_than_future: [0],
    $less_than_future: [1],
    $dow: [0, 1, 2, 3, 4, 5, 6],
    $timeframe: ['2020-01-01;P1D;P1D'],
    $timeframe_absolute: ['2020-01-01;2030-01-01'],
    $timeframe_daily_hours: ['00:00;23:59;0,1,2,3,4,5,6'],
  };
  const holding = ['$is_not', '$not_in', '$count', '$count_less', '$not_intersect'];

  it('are covered for every operator', () => {
    expect([...Object.keys(operands), '$from'].sort()).toEqual([...operatorNames].sort());
  });

  it.each(Object.keys(operands))(
    'hold %s only where it denies or counts to none (reference 02 §2)',
    (operator) => {
      const expected = holding.includes(operator);
      expect(hold({ [operator]: operands[operator] }, undefined)).toBe(expected);
      expect(hold({ [operator]: operands[operator] }, null)).toBe(expected);
    },
  );
});

describe('refusals at write', () => {
  it.each([[null], [[]], [['$is']], ['$is'], [5], [true]])('conditions %p are no object', (definition) => {
    expect(problemOf(definition)).toBe("Conditions of rule 'r' must be an object");
  });

  it.each(['$foo', '$gte', '', '__proto__', 'constructor', '$has_value', 'x'.repeat(101)])(
    'operator %p is not known, and those that may stand there are listed',
    (operator) => {
      const definition = Object.fromEntries([[operator, ['a']]]);
      expect(problemOf(definition, 'flag')).toBe(
        `Operator '${operator.slice(0, 100)}' of rule 'r' is not known. ` +
          'Operators should be equal to one of the allowed values [ $is, $is_not, $in, $not_in ]',
      );
    },
  );

  it.each([
    ['is', '$is'],
    ['$IS', '$is'],
    ['$more_than_equal', '$more_than_or_equal'],
    ['$less_then', '$less_than'],
  ])('operator %p is not known, and %p is suggested', (operator, meant) => {
    expect(problemOf({ [operator]: [1] }, 'number')).toBe(
      `Operator '${operator}' of rule 'r' is not known. Did you mean ${meant}?`,
    );
  });

  it.each([['a'], [5], [true], [null], [undefined], [{}], [{ length: 0 }]])(
    'operands %p are no array',
    (operands) => {
      expect(problemOf({ $is: operands })).toBe("Operator '$is' of rule 'r' must have an array of operands");
    },
  );

  it('are told from what is sound', () => {
    expect(isProblem({ problem: 'p' })).toBe(true);
    expect(isProblem(compiled({}))).toBe(false);
    expect(isProblem(null)).toBe(false);
  });

  it('names the first problem in the order sent', () => {
    expect(problemOf({ $is: ['a'], $foo: [1], $bar: [1] })).toMatch(
      /^Operator '\$foo' of rule 'r' is not known/,
    );
  });

  const everywhere = ['$is', '$is_not', '$in', '$not_in'];
  const texts = ['$starts_with', '$ends_with', '$contains'];
  const counts = ['$count', '$count_more', '$count_less'];
  const sets = ['$not_differ', '$not_intersect'];
  const order = [
    ...['$less_than', '$less_than_or_equal', '$more_than', '$more_than_or_equal'],
    ...['$greater_than', '$greater_than_or_equal'],
  ];
  const usable: Record<'number' | 'text' | 'ids' | 'flag', string[]> = {
    number: [...everywhere, ...order],
    text: [...everywhere, ...texts],
    ids: [...everywhere, ...texts, ...counts, ...sets],
    flag: everywhere,
  };

  it.each(['number', 'text', 'ids', 'flag'] as const)('only these operators suit the kind %s', (kind) => {
    const unusable = operatorNames.filter((operator) => problemOf({ [operator]: [] }, kind) !== null);
    expect(unusable).toEqual(operatorNames.filter((operator) => !usable[kind].includes(operator)));
    for (const operator of unusable) {
      expect(problemOf({ [operator]: [] }, kind)).toBe(
        `Operator '${operator}' of rule 'r' cannot be used there`,
      );
    }
  });

  it.each(['metadata', 'numberMetadata', 'timeMetadata'] as const)('%s takes all but collections', (kind) => {
    expect(operatorNames.filter((operator) => problemOf({ [operator]: [] }, kind) !== null)).toEqual([
      '$from',
    ]);
  });

  const text = 'text';
  const entry = { id: 'prod_1', object: 'product' };
  it.each<[Exclude<ValueKind, 'products'>, string[], unknown[], unknown[], string]>([
    [
      'number',
      everywhere,
      [5, -1.5, '5', '-1.50', '1e3'],
      [text, '', ' 5', '+5', true, null, [5], entry],
      'numbers',
    ],
    ['number', order, [5, -1.5, '5'], [text, true, null, '2026-01-01', [5], entry], 'numbers'],
    ['text', [...everywhere, ...texts], [text, ''], [5, true, null, [text], entry], 'texts'],
    ['ids', [...everywhere, ...texts, ...sets], ['seg_1'], [5, true, null, ['seg_1'], entry], 'texts'],
    ['flag', everywhere, [true, false], ['true', 1, 0, null, [true], entry], 'booleans'],
    [
      'metadata',
      [...everywhere, ...sets],
      [text, 5, true, false],
      [null, [text], entry],
      'texts, numbers and booleans',
    ],
    ['metadata', texts, [text], [5, true, null, [text], entry], 'texts'],
    [
      'metadata',
      order,
      [5, '5', '2026-01-31', '2026-01-31T10:00:00Z', '2026-01-31T10:00:00.123+02:00'],
      [text, true, null, '2026-02-30', '2026-01-31T24:00:00Z', [5], entry],
      'numbers, dates and date-times',
    ],
    [
      'metadata',
      ['$after', '$before'],
      ['2024-02-29', '2026-01-31T10:00:00Z'],
      ['2025-02-29', '10:00', '', 5, '5', true, null, entry],
      'dates and date-times',
    ],
    [
      'metadata',
      counts,
      [0, 1, 9_007_199_254_740_991],
      [-1, 0.5, '1', true, null, 2 ** 53],
      'whole numbers from 0',
    ],
    [
      'metadata',
      [
        ...['$is_days_ago', '$more_than_ago', '$less_than_ago'],
        ...['$is_days_in_future', '$more_than_future', '$less_than_future'],
      ],
      [0, 1, 365],
      [-1, 1.5, '1', '2026-01-01', null],
      'whole numbers from 0',
    ],
    [
      'metadata',
      ['$dow'],
      [0, 1, 2, 3, 4, 5, 6],
      [-1, 7, 1.5, '1', 'monday', null],
      'whole numbers from 0 (Sunday) to 6 (Saturday)',
    ],
  ])('of the kind %s: %j take %j, not %j', (kind, operators, taken, refused, takes) => {
    for (const operator of operators) {
      for (const operand of taken)
        expect([operand, problemOf({ [operator]: [operand] }, kind)]).toEqual([operand, null]);
      const problem = `Operator '${operator}' of rule 'r' takes only ${takes}`;
      for (const operand of refused) {
        expect([operand, problemOf({ [operator]: [operand] }, kind)]).toEqual([operand, problem]);
        expect(problemOf({ [operator]: [...taken, operand] }, kind)).toBe(problem);
      }
    }
  });

  it('takes 1000 operands and refuses 1001', () => {
    const operands = (count: number) => ({ $in: Array.from({ length: count }, (_, index) => index) });
    expect(problemOf(operands(1_000))).toBeNull();
    expect(problemOf(operands(1_001))).toBe(
      "Operator '$in' of rule 'r' must not have more than 1000 operands",
    );
  });

  it('takes 50 timeframes and refuses 51', () => {
    const operands = (count: number) => ({ $timeframe: Array<string>(count).fill('2026-01-01;P1D;PT1H') });
    expect(problemOf(operands(50))).toBeNull();
    expect(problemOf(operands(51))).toBe(
      "Operator '$timeframe' of rule 'r' must not have more than 50 operands",
    );
  });

  it('takes operands of 2000 characters and refuses 2001', () => {
    expect(problemOf({ $is: ['x'.repeat(2_000)] })).toBeNull();
    expect(problemOf({ $is: ['x'.repeat(2_001)] })).toBe(
      "Operator '$is' of rule 'r' must not have operands of more than 2000 characters",
    );
  });

  it('reads no operand of too many', () => {
    const operands: unknown[] = [];
    Object.defineProperty(operands, 99_999, {
      get: () => {
        throw new Error('read');
      },
    });
    expect(problemOf({ $in: operands })).toBe(
      "Operator '$in' of rule 'r' must not have more than 1000 operands",
    );
  });
});

describe('conditions of rules about lines', () => {
  const check = (definition: Record<string, unknown>) =>
    checkConditions(definition, 'products', 'order.items.any');

  it('take objects, whose content is checked elsewhere', () => {
    expect(check({ $is: [{ id: 'prod_1' }], $from: [{ id: 'pc_1' }] })).toBeNull();
    expect(check({ $in: [{}], $is_not: [{}], $not_in: [{}] })).toBeNull();
    expect(checkConditions(undefined, 'products', 'r')).toBeNull();
  });

  it.each([['prod_1'], [5], [true], [null], [[{ id: 'prod_1' }]]])('do not take %j', (operand) => {
    expect(check({ $from: [operand] })).toEqual({
      problem: "Operator '$from' of rule 'order.items.any' takes only objects with id and object",
    });
  });

  it.each(['$more_than', '$contains', '$count', '$dow', '$timeframe'])('do not know %s', (operator) => {
    expect(check({ [operator]: [] })).toEqual({
      problem: `Operator '${operator}' of rule 'order.items.any' cannot be used there`,
    });
  });
});
