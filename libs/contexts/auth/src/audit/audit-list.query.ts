import { IsOptional } from 'class-validator';
import { IsDateInput, IsOneOf, IsText, LimitQuery } from '@scrip/edge';

/** Query of the audit trail. Source: reference 07 §2.6. */
export class AuditQuery extends LimitQuery {
  /** Of the project that the header names, or of the whole installation: for owners. */
  @IsOptional() @IsOneOf(['project', 'installation']) scope: 'project' | 'installation' = 'project';
  /** The last entry of the page before. */
  @IsOptional() @IsText({ max: 64 }) starting_after_id?: string;
  @IsOptional() @IsText({ max: 64 }) actor_id?: string;
  @IsOptional() @IsText({ max: 64 }) action?: string;
  @IsOptional() @IsText({ max: 255 }) resource_id?: string;
  @IsOptional() @IsDateInput() start_date?: string;
  @IsOptional() @IsDateInput() end_date?: string;
}
