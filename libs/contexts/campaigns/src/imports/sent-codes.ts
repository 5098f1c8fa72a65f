import { InjectDataSource } from '@nestjs/typeorm';
import { Injectable } from '@nestjs/common';
import { portionsOfList } from '@scrip/edge';
import { ofAnyLength, runQuery } from '@scrip/event-store';
import { type ProjectContext, refuse } from '@scrip/kernel';
import type { DataSource } from 'typeorm';
import type { CampaignsRefusal } from '../campaigns.refusals';
import { foldCode } from '../generation/code-config';

/** How many codes a refusal names. */
const named = 5;

/** Codes that one query looks for. */
const lookedUpAtOnce = 10_000;

const codeIn = (item: unknown): unknown =>
  typeof item === 'object' && item !== null ? (item as { code?: unknown }).code : '';

const isMissing = (item: unknown): boolean => {
  const code = codeIn(item);
  return code === undefined || code === null;
};

const tellOf = (duplicates: readonly string[]): string => {
  const first = duplicates.slice(0, named).join(', ');
  const others = duplicates.length - named;
  return `${duplicates.length} voucher codes(s) already exist. ${first}${others > 0 ? ` and ${others} more` : ''}`;
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

  /** Refuses `duplicate_key` for codes that exist in the project, or repeat, and names the first ones. Source: reference 04 §4.7. */
  async duplicates(project: ProjectContext, items: readonly unknown[]): Promise<CampaignsRefusal | null> {
    const sent = new Map<string, string>();
    const doubled: string[] = [];
    for await (const { elements } of portionsOfList(items))
      for (const code of elements.map(codeIn)) {
        if (typeof code !== 'string') continue;
        const key = foldCode(code, project.caseSensitiveCodes);
        if (sent.has(key)) doubled.push(code);
        else sent.set(key, code);
      }
    const keys = [...sent.keys()];
    const taken: string[] = [];
    for (let from = 0; from < keys.length; from += lookedUpAtOnce) {
      const rows = await runQuery<{ code_key: string }>(
        this.dataSource,
        `SELECT code_key FROM vouchers WHERE project_id = $1 AND code_key = ANY(${ofAnyLength('$2')})`,
        [project.id, keys.slice(from, from + lookedUpAtOnce)],
      );
      const found = new Set(rows.map(({ code_key }) => code_key));
      for (const key of keys.slice(from, from + lookedUpAtOnce))
        if (found.has(key)) taken.push(sent.get(key)!);
    }
    const duplicates = [...taken, ...doubled];
    return duplicates.length === 0 ? null : refuse('duplicate_key', tellOf(duplicates));
  }
}
