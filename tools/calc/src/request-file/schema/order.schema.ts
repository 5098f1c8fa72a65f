import {
  type Schema,
  anyText,
  anything,
  fields,
  flag,
  listOf,
  metadata,
  named,
  oneOf,
  orNull,
  text,
} from './forms';

// Figures of orders may be numeric text: the normalisation of orders reads and refuses them.
const orderFigures = [
  'amount',
  'initial_amount',
  'discount_amount',
  'items_discount_amount',
  'total_discount_amount',
  'total_amount',
];
const appliedFigures = [
  'applied_discount_amount',
  'items_applied_discount_amount',
  'total_applied_discount_amount',
];
const lineFigures = [
  'quantity',
  'initial_quantity',
  'price',
  'amount',
  'initial_amount',
  'discount_amount',
  'discount_quantity',
  'subtotal_amount',
];
const appliedLineFigures = [
  'applied_discount_amount',
  'applied_discount_quantity',
  'applied_quantity',
  'applied_quantity_amount',
];
const embeddedItem = (nameField: string): Schema =>
  fields({
    object: anything,
    id: text,
    source_id: orNull(text),
    override: flag,
    [nameField]: anyText,
    price: anything,
    metadata,
  });

/** Fields of an order with the given forms of its figures; its lines need `lineNeeds`. */
export const orderFields = (figure: Schema, ...lineNeeds: readonly string[]): Record<string, Schema> => ({
  object: anything,
  id: text,
  source_id: orNull(text),
  status: oneOf('CREATED', 'PAID', 'CANCELED', 'FULFILLED'),
  ...named(['customer', 'customer_id', 'referrer', 'referrer_id', 'created_at', 'updated_at'], anything),
  ...named(orderFigures, figure),
  ...named(appliedFigures, anything),
  metadata,
  items: listOf(
    fields(
      {
        ...named(['object', 'id', 'application_details'], anything),
        sku_id: text,
        product_id: text,
        source_id: text,
        related_object: oneOf('product', 'sku'),
        ...named(lineFigures, figure),
        ...named(appliedLineFigures, anything),
        product: embeddedItem('name'),
        sku: embeddedItem('sku'),
        metadata,
      },
      ...lineNeeds,
    ),
  ),
});
