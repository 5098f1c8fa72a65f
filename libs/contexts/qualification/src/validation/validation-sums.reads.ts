import { Injectable } from '@nestjs/common';
import type { CampaignValidations, ValidationsWanted } from '@scrip/contracts/qualification';
import type { RequestContext } from '@scrip/kernel';
import { InjectListReader, type ListReader } from '@scrip/service';
import { type SummedValidations, validationsSql } from './validation-sums.table';

/** Reads how many validations campaigns had. */
@Injectable()
export class ValidationSums {
  constructor(@InjectListReader('qualification') private readonly lists: ListReader) {}

  /** Those of a campaign on some days. Source: reference 04 §4.9. */
  async of(
    context: RequestContext,
    { campaign_id, start_date, end_date }: ValidationsWanted,
  ): Promise<CampaignValidations> {
    const { id, timezone } = context.project;
    const values = [id, campaign_id, start_date, end_date, timezone];
    const [row] = await this.lists.rows<SummedValidations>(context, { text: validationsSql, values });
    return { succeeded: Number(row!.succeeded), failed: Number(row!.failed) };
  }
}
