import { type ExportedObject, exportKinds } from '@scrip/contracts/operations';
import { IsAnything, IsOneOf, IsText, IsTextList, Nested, pageQuery } from '@scrip/edge';
import { IsOptional } from 'class-validator';

const kinds = Object.keys(exportKinds) as ExportedObject[];

const filtersSchema = {
  description:
    'Conditions by field and operator, as the list of these records has them: ' +
    '`{"junction": "and", "status": {"conditions": {"$is": ["PAID"]}}}`.',
};

/** Which records an export has, in which order, and what it says of them. */
export class ExportParametersBody {
  @IsOptional()
  @IsText({ max: 64, description: 'A field, with `-` before it for descending. Newest first unless sent.' })
  order?: string | null;

  @IsOptional()
  @IsTextList({
    max: 200,
    maxLength: 512,
    description: 'Columns in their order; `metadata` stands for all defined keys, `metadata.<key>` for one.',
  })
  fields?: string[] | null;

  @IsOptional() @IsAnything(filtersSchema) filters?: unknown;

  /** Another name of `filters`. */
  @IsOptional() @IsAnything({ ...filtersSchema, description: 'Another name of `filters`.' }) filter?: unknown;

  @IsOptional()
  @IsText({ min: 1, max: 512, description: 'Vouchers of this campaign only.' })
  campaign_id?: string | null;
}

/** Body of POST /v1/exports. Source: reference 07 §12. */
export class CreateExportBody {
  @IsOneOf(kinds) exported_object: ExportedObject;
  @IsOptional() @Nested(() => ExportParametersBody) parameters?: ExportParametersBody | null;
}

/** Body of POST /v1/orders/export. */
export class ExportOrdersBody {
  @IsOptional() @Nested(() => ExportParametersBody) parameters?: ExportParametersBody | null;
}

/** Body of POST …/transactions/export. Source: reference 04 §4.8, §6.2. */
export class ExportTransactionsBody {
  @IsOptional() @Nested(() => ExportParametersBody) parameters?: ExportParametersBody | null;
}

/** Query of GET /v1/exports. Source: reference 07 §1.4. */
export class ExportListQuery extends pageQuery({
  highestPage: 100,
  orders: ['created_at', 'status'],
  order: '-created_at',
}) {
  @IsOptional() @IsText({ min: 1, max: 512 }) starting_after_id?: string;
}

/** Query of GET /v1/exports/{exportId}. */
export class ExportQuery {
  @IsOptional()
  @IsText({
    max: 4_096,
    description: 'From the link in the result: answers the file, without other credentials.',
  })
  token?: string;
}
