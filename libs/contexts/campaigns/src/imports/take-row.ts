import type { VoucherTemplate } from '@scrip/contracts/campaigns';
import type { CategorySnapshot } from '@scrip/contracts/snapshot';
import { categoryFields } from '@scrip/incentives';
import { isRefused, newId } from '@scrip/kernel';
import type { CheckMetadata } from '@scrip/metadata-schemas';
import type { ItemOutcome } from '@scrip/tasks';
import { tooManyCodes } from '../campaign/campaign.decider';
import type { CampaignsRefusal } from '../campaigns.refusals';
import { duplicateVoucher } from '../voucher/voucher.aggregate';
import type { ImportTarget } from './import-target';
import { type ImportedVoucher, ownFieldsOf } from './imported-voucher';
import { changeMember, isStoredIn, type SetMember, type VoucherSet } from './voucher-set';

/** A code that is to be stored. */
export interface NewCode {
  id: string;
  code: string;
  code_key: string;
  /** The fields in which the voucher differs from its definition. */
  own: Partial<VoucherTemplate>;
}

/** What the rows of a chunk are judged by. */
export interface Ground {
  definition: VoucherTemplate;
  categories: ReadonlyMap<string, CategorySnapshot | CampaignsRefusal>;
  /** Vouchers that have one of the codes. */
  stored: VoucherSet;
  /** Vouchers that are to be stored, by their codes as these are compared. */
  brought: Map<string, NewCode>;
  room: number;
  check: CheckMetadata;
  target: ImportTarget;
  isFile: boolean;
  /** Whether vouchers whose rows do not say it are active; undefined: as inherited. */
  active: boolean | undefined;
  now: string;
}

const created = { found: false, updated: true };

/** The category that a row names; undefined where it names none. */
const categoryOf = (
  { categories }: Ground,
  { category }: ImportedVoucher,
): CategorySnapshot | CampaignsRefusal | null | undefined =>
  typeof category === 'string' ? categories.get(category) : category;

/** Changes a voucher that its campaign has as a row of a file asks. Source: reference 04 §4.7. */
const changeStored = (
  member: SetMember,
  { now }: Ground,
  { active }: ImportedVoucher,
  category: CategorySnapshot | null | undefined,
): Pick<ItemOutcome, 'found' | 'updated'> | CampaignsRefusal => {
  const changes = {
    ...(active === undefined ? {} : { active }),
    ...(category === undefined ? {} : categoryFields(category)),
  };
  const updated = changeMember(member, { changes, now });
  return isRefused(updated) ? updated : { found: true, updated };
};

/** Decides on a row: its code is to be stored, its voucher is changed, or it is refused. */
export const takeRow = (
  ground: Ground,
  sent: ImportedVoucher,
  code_key: string,
): Pick<ItemOutcome, 'found' | 'updated'> | CampaignsRefusal => {
  const { definition, stored, brought, check, isFile, target } = ground;
  const [member, before] = [stored.get(code_key), brought.get(code_key)];
  const isOurs = before !== undefined || isStoredIn(member, target.campaign_id);
  if ((member || before) && !(isFile && isOurs)) return duplicateVoucher(sent.code);
  const category = categoryOf(ground, sent);
  if (isRefused(category)) return category;
  if (member) return changeStored(member, ground, sent, category);
  if (before) {
    const { code, active } = sent;
    const again = ownFieldsOf({ ...definition, ...before.own }, { code, active }, category);
    if (isRefused(again)) return again;
    before.own = { ...before.own, ...again };
    return { found: true, updated: Object.keys(again).length > 0 };
  }
  if (ground.room === 0) return tooManyCodes();
  const own = ownFieldsOf(definition, { ...sent, active: sent.active ?? ground.active }, category);
  if (isRefused(own)) return own;
  const misfit = check(own.metadata ?? definition.metadata, sent.metadata);
  if (misfit) return misfit;
  brought.set(code_key, { id: newId('v_'), code: sent.code, code_key, own });
  ground.room -= 1;
  return created;
};
