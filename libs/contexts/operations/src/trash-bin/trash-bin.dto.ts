import { binEntryFields } from '@scrip/contracts/operations';
import { IsFilters, IsOneOf, IsText, LimitQuery } from '@scrip/edge';
import { filterOperators, type Filters } from '@scrip/list-query';
import { IsOptional } from 'class-validator';

/** Query of GET /v1/trash-bin. Source: reference 07 §1.4. */
export class TrashBinQuery extends LimitQuery {
  @IsOptional() @IsOneOf(['id', '-id']) order: 'id' | '-id' = 'id';
  /** The last entry of the page before. */
  @IsOptional() @IsText({ min: 1, max: 512 }) starting_after_id?: string;
  @IsOptional() @IsFilters({ fields: binEntryFields, operators: filterOperators }) filters?: Filters;
}
