import type { ProductEvent } from '@scrip/contracts/catalog';
import type { AggregateDefinition } from '@scrip/event-store';
import { duplicate } from '../catalog.refusals';
import { evolveProduct, type ProductState } from './product.decider';

const recordOf = (state: ProductState) => (state.status === 'ERASED' ? null : state.product);

/** How products are stored. Names are unique among the live products of a project, source ids among all; a source id that
 *  is taken names the product to change, so its conflict is no refusal. */
export const productAggregate: AggregateDefinition<ProductState, ProductEvent> = {
  aggregate: 'product',
  table: 'products',
  evolve: evolveProduct,
  columns: {
    status: { type: 'text', of: ({ status }) => status },
    source_id: { type: 'text', of: (state) => recordOf(state)?.source_id ?? null },
    name: { type: 'text', of: (state) => recordOf(state)?.name ?? null },
    name_twin: {
      type: 'text',
      of: (state) => (state.status === 'LIVE' && state.name_shared ? state.product.id : ''),
    },
    created_at: { type: 'timestamptz', of: (state) => recordOf(state)?.created_at ?? null },
    updated_at: { type: 'timestamptz', of: (state) => recordOf(state)?.updated_at ?? null },
  },
  conflicts: {
    products_name: (state) => duplicate('product', 'name', recordOf(state)?.name ?? ''),
  },
};
