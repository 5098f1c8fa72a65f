import { InjectDataSource } from '@nestjs/typeorm';
import { Injectable } from '@nestjs/common';
import { portionsOfList } from '@scrip/edge';
import { ofAnyLength, runQuery } from '@scrip/event-store';
import { type ProjectContext, refuse } from '@scrip/kernel';
import type { DataSource } from 'typeorm';
import type { CampaignsRefusal } from '../campaigns.refusals';
import { foldCode } from '../generation/code-config';

/** Codes that one query looks for. */
const lookedUpAtOnce = 10_000;

const codeIn = (item: unknown): unknown =>
  typeof item === 'object' && item !== null ? (item as { code?: unknown }).code : '';

const isMissing = (item: unknown): boolean => {
  const code = codeIn(item);
  return code === undefined || code === null;
};

/** The codes of a body, looked at before its items are read. */
@Injectable()
export class SentCodes {
  constructor(@InjectDataSource('campaigns') private readonly dataSource: DataSource) {}

  /** Refuses `invalid_voucher` for items without a code. Source: reference 04 §4.7. */
  async missing(items: readonly unknown[]): Promise<CampaignsRefusal | null> {
    let missing = 0;
    for await (const { elements } of portionsOfList(items)) missing += elements.filter(isMissing).length;
    return missing === 0
      ? null
      : refuse('invalid_voucher', `Found ${missing} voucher(s) without 'code' value`);
  }

  /** Refuses `duplicate_key` for codes that exist in the project, or repeat. Source: reference 04 §4.7. */
  async duplicates(project: ProjectContext, items: readonly unknown[]): Promise<CampaignsRefusal | null> {
    const unique = new Set<string>();
    let count = 0;
    for await (const { elements } of portionsOfList(items))
      for (const code of elements.map(codeIn)) {
        if (typeof code !== 'string') continue;
        unique.add(foldCode(code, project.caseSensitiveCodes));
        count += 1;
      }
    const keys = [...unique];
    let duplicates = count - keys.length;
    for (let from = 0; from < keys.length; from += lookedUpAtOnce) {
      const [row] = await runQuery<{ count: string }>(
        this.dataSource,
        `SELECT count(*) FROM vouchers WHERE project_id = $1 AND code_key = ANY(${ofAnyLength('$2')})`,
        [project.id, keys.slice(from, from + lookedUpAtOnce)],
      );
      duplicates += Number(row?.count ?? 0);
    }
    return duplicates === 0 ? null : refuse('duplicate_key', `${duplicates} voucher codes(s) already exist.`);
  }
}
