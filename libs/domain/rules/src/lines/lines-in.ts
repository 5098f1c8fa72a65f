import type { OrderState } from '@scrip/order-calculation';
import type { Line } from '../catalogue/rule-entry';

const noLines: readonly Line[] = [];

const hasUnits = ({ quantity }: Line): boolean => quantity > 0;

/** The lines that rules are about: those with units. One whose units were all replaced stays in the order, but is not
 *  bought. Source: reference 01 §7, reference 02 §3.2. */
export const linesIn = (order: Pick<OrderState, 'lines'> | null | undefined): readonly Line[] => {
  const lines = order?.lines ?? noLines;
  return lines.every(hasUnits) ? lines : lines.filter(hasUnits);
};
