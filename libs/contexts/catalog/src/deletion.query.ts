import { IsFlag } from '@scrip/edge';
import { IsOptional } from 'class-validator';

/** Query of DELETE of products and SKUs: into the bin, or for good. Source: reference 07 §6. */
export class DeletionQuery {
  @IsOptional() @IsFlag() force = false;
}
