import { Controller, Get, Inject, Param, Query, Res } from '@nestjs/common';
import { ContextOf, IsInteger, IsOneOf, Operation } from '@scrip/edge';
import { notFound } from '@scrip/kernel';
import type { AssetIds } from '@scrip/wire/campaigns';
import { IsOptional } from 'class-validator';
import type { FastifyReply } from 'fastify';
import type { CampaignsRefusal } from '../campaigns.refusals';
import type { AssetKind } from './asset-images';
import { ASSET_IDS } from './asset-ids.provider';
import { DrawnCodes } from './drawn-codes';

/** Query of the image routes. */
export class AssetQuery {
  @IsOptional() @IsInteger({ min: 1, max: 100 }) size = 30;
  @IsOptional() @IsOneOf(['png', 'svg']) format: 'png' | 'svg' = 'png';
}

const images = {
  media: { 'image/png': { type: 'string', format: 'binary' }, 'image/svg+xml': { type: 'string' } },
};

/** Images of codes by their unguessable ids; the id is the only credential. Source: reference 04 §5. */
@Controller('/v1/assets')
@ContextOf('campaigns')
export class AssetsHttp {
  constructor(
    @Inject(ASSET_IDS) private readonly assets: AssetIds,
    private readonly codes: DrawnCodes,
  ) {}

  @Get('qr/:id')
  @Operation({ id: 'getQrCode', summary: 'A code as QR code', answers: { 200: images } })
  qr(@Param('id') id: string, @Query() query: AssetQuery, @Res({ passthrough: true }) reply: FastifyReply) {
    return this.image('qr', id, query, reply);
  }

  @Get('barcode/:id')
  @Operation({ id: 'getBarcode', summary: 'A code as barcode', answers: { 200: images } })
  barcode(
    @Param('id') id: string,
    @Query() query: AssetQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return this.image('barcode', id, query, reply);
  }

  private async image(
    kind: AssetKind,
    id: string,
    query: AssetQuery,
    reply: FastifyReply,
  ): Promise<Buffer | CampaignsRefusal> {
    const code = this.assets.codeOf(id);
    const drawn = code === null ? null : await this.codes.image(kind, code, query);
    if (!drawn) {
      return notFound('asset', id);
    }
    const { contentType, body } = drawn;
    void reply.header('content-type', contentType).header('cache-control', 'public, max-age=86400');
    return body;
  }
}
