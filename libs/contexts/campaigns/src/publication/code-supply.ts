import { Injectable } from '@nestjs/common';
import type { CampaignSnapshot } from '@scrip/contracts/campaigns';
import { type Refusal, type RequestContext, refuse } from '@scrip/kernel';
import { LRUCache } from 'lru-cache';
import { CodeFinder } from '../generation/code-finder';
import { textOfKey } from './campaign-key';
import type { Publishing, Supply } from './publication-try';

/** Campaigns remembered to have had too few free codes. */
const campaignsMax = 10_000;

/** Decides where the codes of a publication come from: free ones first, and those of an AUTO_UPDATE campaign are made where too few
 *  are free. Source: reference 04 §8.1 step 7. */
@Injectable()
export class CodeSupply {
  /** Of AUTO_UPDATE campaigns: the last publication here found too few free codes, so the next begins with made ones at hand. */
  private readonly empty = new LRUCache<string, true>({ max: campaignsMax });

  constructor(private readonly codes: CodeFinder) {}

  /** What the first try of a publication goes about with. */
  async first(context: RequestContext, publishing: Publishing): Promise<Supply> {
    const campaign = madeOnDemand(publishing);
    const makes = campaign && this.empty.has(keyOf(context, campaign));
    return { patient: false, codes: makes ? await this.make(context, publishing, campaign) : [] };
  }

  /** What the next try goes about with, after `missing` codes were missing. Refuses where there is nothing left to try. */
  async more(
    context: RequestContext,
    publishing: Publishing,
    { supply, missing }: { supply: Supply; missing: number },
  ): Promise<Supply | Refusal<'no_voucher_suitable_for_publication'>> {
    const campaign = madeOnDemand(publishing);
    if (!campaign) {
      return supply.patient ? noneFound() : { patient: true, codes: [] };
    }
    const codes = await this.make(context, publishing, campaign);
    if (codes.length < missing) return noneMade();
    this.empty.set(keyOf(context, campaign), true);
    return { patient: false, codes };
  }

  private make({ project }: RequestContext, { request: { source } }: Publishing, campaign: CampaignSnapshot) {
    const count = 'count' in source ? source.count : 1;
    return this.codes.find(project, campaign.voucher!.code_config, count);
  }
}

const keyOf = ({ project }: RequestContext, { id }: CampaignSnapshot): string =>
  textOfKey({ project_id: project.id, campaign_id: id });

const madeOnDemand = ({ campaign, voucherId }: Publishing): CampaignSnapshot | null =>
  campaign?.type === 'AUTO_UPDATE' && voucherId === null ? campaign : null;

const noneFound = () =>
  refuse('no_voucher_suitable_for_publication', "Couldn't find any voucher suitable for publication");

const noneMade = () =>
  refuse('no_voucher_suitable_for_publication', "Couldn't create new vouchers for publication");
