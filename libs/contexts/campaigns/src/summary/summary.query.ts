import { IsDay } from '@scrip/edge';
import { type CalendarDay, refuse } from '@scrip/kernel';
import { IsOptional } from 'class-validator';
import type { CampaignsRefusal } from '../campaigns.refusals';

/** Query of GET /v1/campaigns/{campaignId}/summary: days in the project's time zone, both inclusive. Source: reference 04 §4.9. */
export class SummaryQuery {
  @IsOptional() @IsDay() start_date?: CalendarDay;
  @IsOptional() @IsDay() end_date?: CalendarDay;
}

/** Refuses `invalid_query_params` for days in the wrong order. */
export const daysMustBeInOrder = ({ start_date, end_date }: SummaryQuery): CampaignsRefusal | null =>
  start_date !== undefined && end_date !== undefined && start_date > end_date
    ? refuse('invalid_query_params', 'Property .start_date must not be after .end_date')
    : null;
