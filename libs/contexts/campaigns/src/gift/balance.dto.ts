import { IsInteger, IsText, Wording } from '@scrip/edge';
import { IsOptional } from 'class-validator';

/** Body of POST /v1/vouchers/{code}/balance. Source: reference 04 §6.1. */
@Wording('should')
export class AdjustBalanceBody {
  @IsInteger() amount!: number;
  @IsOptional() @IsText({ max: 512 }) source_id?: string | null;
  @IsOptional() @IsText({ max: 4_096 }) reason?: string | null;
}
