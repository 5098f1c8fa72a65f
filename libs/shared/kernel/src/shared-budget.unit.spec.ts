import { halfForEach, SharedBudget } from './shared-budget';

describe('a shared budget', () => {
  it('is taken up to its total, and given back once', () => {
    const budget = new SharedBudget({ total: 10, perHolder: 10 });
    const first = budget.take('a', 6);
    expect(budget.take('a', 5)).toBeNull();
    expect(budget.take('b', 5)).toBeNull();
    expect(budget.take('b', 4)).not.toBeNull();
    expect(budget.held).toBe(10);
    first?.();
    first?.();
    expect(budget.held).toBe(4);
    expect(budget.take('a', 7)).toBeNull();
    expect(budget.take('a', 6)).not.toBeNull();
  });

  it('leaves room for others than the one who takes all it may', () => {
    const budget = new SharedBudget({ total: 10, perHolder: 6 });
    const giveBack = budget.take('a', 6);
    expect(budget.take('a')).toBeNull();
    expect(budget.take('b', 4)).not.toBeNull();
    giveBack?.();
    expect(budget.take('a', 6)).not.toBeNull();
  });

  it('holds beyond its bounds what is there already, and is full from its bounds on', () => {
    const budget = new SharedBudget({ total: 10, perHolder: 6 });
    budget.hold('a', 5);
    expect(budget.isFull('a')).toBe(false);
    const giveBack = budget.hold('a', 4);
    expect([budget.isFull('a'), budget.isFull('b'), budget.isFull(null)]).toEqual([true, false, false]);
    budget.hold(null, 1);
    expect([budget.isFull('b'), budget.isFull(null), budget.take('b')]).toEqual([true, true, null]);
    giveBack();
    giveBack();
    expect([budget.isFull('a'), budget.held]).toEqual([false, 6]);
  });

  it('bounds holders that are not known by its total alone', () => {
    const budget = new SharedBudget({ total: 3, perHolder: 1 });
    expect([1, 2, 3, 4].map(() => budget.take(null) !== null)).toEqual([true, true, true, false]);
  });

  it.each([
    [1, 1],
    [2, 1],
    [1_000, 500],
  ])('of %d gives each holder %d', (total, perHolder) => {
    expect(halfForEach(total)).toEqual({ total, perHolder });
  });
});
