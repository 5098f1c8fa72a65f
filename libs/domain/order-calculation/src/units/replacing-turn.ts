import type { UnitDiscount } from '../discount';
import { type Turn, catalogueOf } from '../turn';
import { sells, unitItemOf } from './unit-item';

/** The turn in which a replacement looks for its sources. Lines of the target are none: they use up no limit and count
 *  for no budget. Source: reference 01 §6, §7. */
export const replacingTurn = ({ unit_type }: UnitDiscount, turn: Turn): Turn => {
  if (unit_type === undefined || !turn.order) return turn;
  const target = unitItemOf(unit_type, turn.order, catalogueOf(turn));
  return Object.assign({}, turn, {
    isClosed: (line: Parameters<Turn['isClosed']>[0]) => sells(line, target) || turn.isClosed(line),
  });
};
