import { amountOff, clock } from '../calc.fixture';
import { problemLine } from './input-problem';
import { readRequest } from './read-request';

/** A line about each thing that is wrong with the text of a file. */
export const problemsOf = (text: string): string[] => {
  const request = readRequest(text, clock);
  return Array.isArray(request) ? request.map(problemLine) : [];
};

/** A line of an order. */
export const cup = { product_id: 'prod_cup', price: 1000 };

/** What a file needs at least. */
export const one = [amountOff('A', 100)];
