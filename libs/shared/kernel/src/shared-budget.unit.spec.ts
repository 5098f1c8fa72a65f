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
