import type { LineState, OrderState } from '../order/order-state';
import { DefinitionIndex } from './definition-index';
import { type ItemScope, definitionsOf, everyProduct } from './item-scope';

/** Lines that a scope includes and does not exclude, whether or not anything is left to come off them.
 *  Source: reference 01 §6. */
export const linesInScope = ({ lines }: OrderState, scope: ItemScope): readonly LineState[] => {
  const named = definitionsOf(scope);
  if (named.length === 0 && scope.excluded.length === 0) return lines;
  const included = new DefinitionIndex(named.length === 0 ? [everyProduct] : named);
  const excluded = new DefinitionIndex(scope.excluded);
  return lines.filter(
    ({ identity }) => included.mostSpecific(identity) !== null && excluded.mostSpecific(identity) === null,
  );
};
