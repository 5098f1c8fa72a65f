import { IsText } from '@scrip/edge';

/** Body of POST /v1/show-pieces and PUT /v1/show-pieces/{showPieceId}. */
export class ShowPieceBody {
  @IsText({ min: 1, max: 512 }) name: string;
}
