import type { SegmentType } from '@scrip/contracts/customers';
import { IsFilters, IsOneOf, IsText, IsTextList } from '@scrip/edge';
import type { Filters } from '@scrip/list-query';
import { IsOptional } from 'class-validator';
import { segmentLimits } from './segment.decider';
import { segmentFilterSpec } from './segment-filter';

/** The types of segments. */
export const segmentTypes = ['static', 'passive', 'auto-update'] as const satisfies readonly SegmentType[];

const nameLengthMax = 512;

/** Body of POST /v1/segments. Which fields belong together is decided by `newSegment`. Source: reference 07 §4. */
export class CreateSegmentBody {
  @IsText({ min: 1, max: nameLengthMax }) name: string;
  @IsOptional() @IsOneOf(segmentTypes) type?: SegmentType | null;
  @IsOptional()
  @IsTextList({ max: segmentLimits.customers, maxLength: 512, description: 'Ids of customers.' })
  customers?: string[] | null;
  @IsOptional() @IsFilters(segmentFilterSpec) filter?: Filters | null;
}

/** Body of PUT /v1/segments/{segmentId}. */
export class UpdateSegmentBody {
  @IsOptional() @IsText({ min: 1, max: nameLengthMax }) name?: string | null;
  @IsOptional() @IsFilters(segmentFilterSpec) filter?: Filters | null;
}
