import { isRefused } from '@scrip/kernel';
import { type Catalogue, type OrderState, normaliseOrder } from '@scrip/order-calculation';
import type { InputProblem } from './input-problem';
import type { RequestFile } from './request-file';

type NamedOrder = NonNullable<Parameters<typeof normaliseOrder>[1]>;

/** The stored order, where the request's order names it. */
const namedOrder = ({ order, stored_order: stored }: RequestFile): NamedOrder | InputProblem | null => {
  if (!stored) return null;
  if (order?.id !== undefined && order.id === stored.id) return { namedBy: 'id', order: stored };
  if (order?.source_id != null && order.source_id === stored.source_id) {
    return { namedBy: 'source_id', order: stored };
  }
  return { path: 'stored_order', message: 'order must name it by id or source_id' };
};

/** The order that is calculated, null where the file has none or has problems, which are added to `problems`. */
export const readOrder = (
  file: RequestFile,
  catalogue: Catalogue,
  problems: InputProblem[],
): OrderState | null => {
  const named = namedOrder(file);
  if (named && 'message' in named) problems.push(named);
  if (!file.order || (named && 'message' in named)) return null;
  const order = normaliseOrder(file.order, named, '.order', {
    catalogue,
  });
  if (!isRefused(order)) return order;
  const [, path = 'order', message = order.refused] =
    /^Property \.(\S+) (.*)$/.exec(order.details ?? '') ?? [];
  problems.push({ path, message });
  return null;
};

/** What rules and formulas read as the order's metadata: sent metadata replace stored ones; an order named by source id is the stored one. */
export const orderMetadataOf = ({
  order,
  stored_order: stored,
}: RequestFile): Readonly<Record<string, unknown>> => {
  const isStored = stored !== undefined && order?.id === undefined;
  return (isStored ? stored.metadata : (order?.metadata ?? stored?.metadata)) ?? {};
};
