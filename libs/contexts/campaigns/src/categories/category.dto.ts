import { IsFlag, IsInteger, IsText, Wording } from '@scrip/edge';
import { IsOptional } from 'class-validator';
import { nameLengthMax } from '@scrip/incentives/bodies';
import { hierarchyMax } from './category';

/** Body of POST and PUT. Source: reference 04 §9. */
@Wording('should')
export class CategoryBody {
  @IsText({ min: 1, max: nameLengthMax }) name!: string;
  @IsInteger({ min: 0, max: hierarchyMax }) hierarchy!: number;
}

/** Query of DELETE. Source: reference 04 §9. */
export class CategoryDeletionQuery {
  @IsOptional() @IsFlag() remove_from_stacking_rules?: boolean;
}
