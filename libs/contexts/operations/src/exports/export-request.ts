import {
  type ExportedObject,
  exportKindOf,
  type ExportOrder,
  type ExportParameters,
} from '@scrip/contracts/operations';
import { readFiltersOrRefuse } from '@scrip/edge';
import { isRefused, type Refusal, refuse } from '@scrip/kernel';
import { documentOperators, filterOperators, locationOperators } from '@scrip/list-query';
import type { ExportParametersBody } from './export.dto';

type ExportRequestRefusal = Refusal<'invalid_payload' | 'invalid_export_fields'>;

/** Records that may have places. */
const locatable: ReadonlySet<ExportedObject> = new Set(['customer', 'product', 'sku']);

const metadataField = /^metadata\.\S/;

const fieldsMustBeKnown = (kind: ExportedObject, fields: readonly string[]): ExportRequestRefusal | null => {
  const allowed = [...exportKindOf(kind).fields, 'metadata'];
  return fields.every((field) => allowed.includes(field) || metadataField.test(field))
    ? null
    : refuse(
        'invalid_export_fields',
        `Unsupported field used. Allowed fields: ${[...allowed, 'metadata.<key>'].join(', ')}`,
      );
};

const orderMustBeKnown = (kind: ExportedObject, order: string): ExportRequestRefusal | null => {
  const allowed = exportKindOf(kind).orders.flatMap((field) => [field, `-${field}`]);
  return allowed.includes(order)
    ? null
    : refuse(
        'invalid_payload',
        `Property .parameters.order should be equal to one of the allowed values [ ${allowed.join(', ')} ]`,
      );
};

/** Filters without some fields. */
const withoutFields = (filters: unknown, names: readonly string[]): unknown =>
  names.length === 0 || typeof filters !== 'object' || filters === null || Array.isArray(filters)
    ? filters
    : Object.fromEntries(Object.entries(filters).filter(([name]) => !names.includes(name)));

/** What an export is to contain, what was not sent filled in. `filter` counts where there is no `filters`. Refuses fields,
 *  orders and filters that the kind does not have. `of`: whose transactions; it replaces filters of that field. Source: reference 07 §12. */
export const exportOrderOf = (
  exported_object: ExportedObject,
  { fields, order, filters, filter, campaign_id }: ExportParametersBody,
  of?: ExportParameters['of'],
): ExportOrder | ExportRequestRefusal => {
  const kind = exportKindOf(exported_object);
  const chosen = fields && fields.length > 0 ? [...new Set(fields)] : [...kind.defaults];
  const sorted = order ?? kind.order;
  const refusal = fieldsMustBeKnown(exported_object, chosen) ?? orderMustBeKnown(exported_object, sorted);
  if (refusal) return refusal;
  const operators = locatable.has(exported_object)
    ? [...documentOperators, ...locationOperators]
    : filterOperators;
  const conditions = readFiltersOrRefuse(
    withoutFields(filters ?? filter ?? undefined, Object.keys(of ?? {})),
    { fields: kind.filters, operators, bare: exported_object === 'voucher' ? ['active'] : [] },
    '.parameters',
  );
  if (isRefused(conditions)) return conditions;
  if (campaign_id != null && exported_object !== 'voucher')
    return refuse('invalid_payload', 'Property .parameters.campaign_id goes with vouchers only');
  const parameters: ExportParameters = {
    fields: chosen,
    order: sorted,
    filters: conditions,
    ...(campaign_id == null ? {} : { campaign_id }),
    ...(of === undefined ? {} : { of }),
  };
  return { exported_object, parameters };
};
