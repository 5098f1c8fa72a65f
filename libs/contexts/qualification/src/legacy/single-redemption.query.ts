import { IsText } from '@scrip/edge';
import { IsOptional } from 'class-validator';

/** What the query of a redemption of one object says. */
export class SingleRedemptionQuery {
  /** Of an anonymous customer. */
  @IsOptional()
  @IsText()
  tracking_id?: string;
}
