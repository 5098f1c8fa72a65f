/** Contexts whose records can be exported. */
export type ExportOwner = 'campaigns' | 'catalog' | 'customers' | 'operations' | 'qualification';

/** What can be said of one kind of export. */
interface ExportKindSpec {
  /** Whose records they are. */
  owner: ExportOwner;
  /** Columns of the file, but for metadata. */
  fields: readonly string[];
  /** Columns where a call names none. */
  defaults: readonly string[];
  orders: readonly string[];
  /** Where a call names none. */
  order: string;
  /** Fields that a filter may name; `metadata.*` stands for every key. */
  filters: readonly string[];
  /** Columns that tell of people; `all`: the records are people. */
  personal: readonly string[] | 'all';
}

const record = ['price', 'image_url', 'source_id', 'attributes', 'created_at'] as const;
const collected = [
  ...['id', 'product_id', 'source_id', 'name', 'price', 'object', 'attributes', 'image_url', 'skus'],
  ...['created_at', 'updated_at', 'metadata.*'],
] as const;
const dates = ['created_at', 'updated_at'] as const;
const apiLog = ['id', 'created_at', 'status', 'request_id', 'channel', 'method', 'endpoint', 'url'] as const;

/** The kinds of exports: a feature whose records are to be exported adds its entry here, and an `ExportKind` in its context.
 *  Source: reference 07 §12. */
export const exportKinds = {
  order: {
    owner: 'customers',
    fields: [
      ...['id', 'source_id', 'created_at', 'updated_at', 'status', 'amount', 'discount_amount'],
      ...['items_discount_amount', 'total_discount_amount', 'total_amount', 'customer_id', 'referrer_id'],
    ],
    defaults: ['id', 'source_id', 'status'],
    orders: ['created_at', 'updated_at', 'status'],
    order: '-created_at',
    filters: [
      ...['created_at', 'updated_at', 'status', 'source_id', 'amount', 'total_amount', 'discount_amount'],
      ...['total_discount_amount', 'items_discount_amount', 'metadata.*'],
    ],
    personal: [],
  },
  voucher: {
    owner: 'campaigns',
    fields: [
      ...['code', 'voucher_type', 'value', 'formula', 'discount_type', 'campaign', 'category', 'start_date'],
      ...['expiration_date', 'gift_balance', 'loyalty_balance', 'redemption_quantity', 'redemption_count'],
      ...['active', 'qr_code', 'bar_code', 'id', 'is_referral_code', 'created_at', 'updated_at'],
      ...['validity_timeframe_interval', 'validity_timeframe_duration', 'validity_day_of_week'],
      ...['discount_amount_limit', 'campaign_id', 'additional_info', 'customer_id', 'discount_effect'],
      ...['discount_unit_type', 'discount_unit_effect', 'customer_source_id', 'validation_rules_id'],
    ],
    defaults: ['code', 'voucher_type', 'value', 'discount_type'],
    orders: ['created_at', 'updated_at', 'code'],
    order: '-created_at',
    filters: [
      ...['code', 'vouchers', 'created_at', 'created_date', 'updated_at', 'active', 'start_date'],
      ...[
        'expiration_date',
        'validity_timeframe',
        'validity_day_of_week',
        'categories',
        'category_ids',
        'campaign_ids',
        'holder_id',
        'published_for_customer_id',
        'redemption_status',
      ],
      ...['is_referral_code', 'redemption.quantity', 'redemption.redeemed_quantity', 'metadata.*'],
    ],
    personal: ['customer_source_id'],
  },
  voucher_transactions: {
    owner: 'campaigns',
    fields: [
      ...['id', 'type', 'source_id', 'status', 'reason', 'source', 'balance', 'amount', 'created_at'],
      ...['voucher_id', 'campaign_id', 'details', 'related_transaction_id'],
    ],
    defaults: ['id', 'type', 'source_id', 'reason', 'source', 'balance', 'amount', 'created_at'],
    orders: ['created_at'],
    order: '-created_at',
    filters: ['created_at', 'voucher_id', 'campaign_id'],
    personal: [],
  },
  publication: {
    owner: 'campaigns',
    fields: [
      ...['code', 'customer_id', 'date', 'channel', 'id', 'customer_source_id', 'source_id', 'campaign'],
      ...['campaign_id', 'voucher_type', 'is_referral_code', 'result', 'failure_code', 'failure_message'],
      // Another name of code, and what no publication has any more.
      ...['voucher_code', 'is_winner'],
    ],
    defaults: ['voucher_code', 'customer_id', 'date', 'channel'],
    orders: ['id', 'voucher_code', 'tracking_id', 'customer_id', 'created_at', 'channel'],
    order: '-created_at',
    filters: [
      ...['created_at', 'campaign_name', 'customer_id', 'result', 'failure_code', 'voucher_type'],
      ...['is_referral_code', 'parent_object_id', 'related_object_id', 'source_id', 'metadata.*'],
      // Other names of campaign_name and customer_id, and the code.
      ...['campaign', 'customer', 'voucher'],
    ],
    personal: ['customer_source_id'],
  },
  redemption: {
    owner: 'qualification',
    fields: [
      ...['id', 'object', 'date', 'voucher_code', 'campaign', 'promotion_tier_id', 'customer_id'],
      ...['customer_source_id', 'customer_name', 'tracking_id', 'order_id', 'order_amount', 'gift_amount'],
      ...['loyalty_points', 'result', 'failure_code', 'failure_message'],
    ],
    defaults: ['id', 'object', 'voucher_code', 'customer_id', 'date', 'result'],
    orders: ['id', 'voucher_code', 'tracking_id', 'customer_id', 'created_at'],
    order: '-created_at',
    filters: [
      ...['created_at', 'voucher_code', 'related_object_id', 'related_object_parent_id'],
      ...['parent_redemption_id', 'failure_code', 'result', 'object', 'customer_id', 'campaign_name'],
      ...['user_login', 'metadata.*'],
      // Other names of campaign_name, customer_id, voucher_code and result.
      ...['campaign', 'customer', 'voucher', 'status'],
    ],
    personal: ['customer_source_id', 'customer_name', 'tracking_id'],
  },
  customer: {
    owner: 'customers',
    fields: [
      ...['name', 'id', 'description', 'email', 'source_id', 'created_at', 'updated_at', 'phone', 'birthday'],
      ...['birthdate', 'address_city', 'address_state', 'address_line_1', 'address_line_2'],
      ...['address_country', 'address_postal_code', 'redemptions_total_redeemed', 'redemptions_total_failed'],
      ...['redemptions_total_succeeded', 'redemptions_total_rolled_back'],
      ...['redemptions_total_rollback_failed', 'redemptions_total_rollback_succeeded', 'orders_total_amount'],
      ...['orders_total_count', 'orders_average_amount', 'orders_last_order_amount'],
      ...['orders_last_order_date', 'loyalty_points', 'loyalty_referred_customers'],
    ],
    defaults: ['name', 'source_id'],
    orders: ['name', 'id', 'email', 'source_id', 'created_at', 'updated_at'],
    order: '-created_at',
    filters: [
      ...['name', 'email', 'phone', 'source_id', 'description', 'city', 'address.*', 'birthdate', 'birthday'],
      ...['created_at', 'updated_at', 'metadata.*', 'system_metadata.*', 'summary.*', 'loyalty.*'],
      ...['loyalty_tier.*', 'loyalty_points.campaigns.*', 'events.*', 'publications.created_at'],
      'publications.related_object_id',
    ],
    personal: 'all',
  },
  product: {
    owner: 'catalog',
    fields: ['id', 'name', ...record, 'updated_at'],
    defaults: ['id', 'name', ...record],
    orders: dates,
    order: '-created_at',
    filters: collected,
    personal: [],
  },
  sku: {
    owner: 'catalog',
    fields: ['id', 'sku', 'product_id', 'currency', ...record, 'updated_at'],
    defaults: ['id', 'sku', 'product_id', 'currency', ...record],
    orders: dates,
    order: '-created_at',
    // `sku` is another name of `name`.
    filters: [...collected, 'sku'],
    personal: [],
  },
  api_log: {
    owner: 'operations',
    fields: [...apiLog, 'app_id', 'client_app_id'],
    defaults: apiLog,
    orders: ['created_at'],
    order: '-created_at',
    filters: ['created_at', 'status', 'channel', 'app_id', 'client_app_id'],
    personal: [],
  },
} as const satisfies Record<string, ExportKindSpec>;

/** A kind of records that can be exported. */
export type ExportedObject = keyof typeof exportKinds;

/** The columns that a kind has, but for metadata. */
export type ExportField<Kind extends ExportedObject> = (typeof exportKinds)[Kind]['fields'][number];

/** The fields that a kind can be ordered by. */
export type ExportOrderField<Kind extends ExportedObject> = (typeof exportKinds)[Kind]['orders'][number];

/** The kind with this entry. */
export const exportKindOf = (kind: ExportedObject): ExportKindSpec => exportKinds[kind];

/** Whether a file with these columns tells of people. */
export const tellsOfPeople = (kind: ExportedObject, fields: readonly string[]): boolean => {
  const { personal } = exportKindOf(kind);
  return personal === 'all' || fields.some((field) => personal.includes(field));
};
