import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { topics } from '@scrip/contracts/registry';
import type { StoredEvent } from '@scrip/event-store';
import { Consumes, type EventBatch } from '@scrip/messaging';
import type { EntityManager } from 'typeorm';
import { type CandidateRow, isLookedAt } from './candidate';
import {
  candidatesOf,
  deleteCandidates,
  lockCandidates,
  objectsTermedBy,
  replaceTerms,
  storeCandidates,
} from './candidates.table';
import { type Heard, heard } from './heard-events';
import { RuleTerms } from './rule-terms';

/** What a batch says of one project. */
interface News {
  changes: Extract<Heard, { id: string }>[];
  ruled: string[];
  rules: string[];
}

const newsOf = (events: readonly StoredEvent[]): Map<string, News> => {
  const byProject = new Map<string, News>();
  for (const event of events) {
    const said = heard(event);
    if (!said) continue;
    const news = byProject.get(event.projectId) ?? { changes: [], ruled: [], rules: [] };
    if ('rule' in said) news.rules.push(said.rule);
    else if ('ruled' in said) news.ruled.push(said.ruled);
    else news.changes.push(said);
    byProject.set(event.projectId, news);
  }
  return byProject;
};

/** Whether the terms of a candidate have to be made again. */
const isOtherwiseTermed = (before: CandidateRow | null, after: CandidateRow): boolean =>
  before === null ||
  isLookedAt(before) !== isLookedAt(after) ||
  JSON.stringify(before.incentive) !== JSON.stringify(after.incentive);

/** Keeps the index by which qualifications find candidates. Source: reference 02 §10. */
@Controller()
export class CandidatesProjection {
  constructor(private readonly terms: RuleTerms) {}

  @Consumes([topics.campaign, topics.voucher, topics.promotionTier, topics.promotionStack, topics.rule], {
    group: 'qualification.candidates',
    fills: ['candidates', 'candidate_terms'],
  })
  async changed(@Payload() batch: EventBatch): Promise<void> {
    const news = newsOf(batch.events);
    if (news.size === 0) return;
    const projects = [...news].sort(([one], [other]) => (one < other ? -1 : 1));
    await batch.commit(async (manager) => {
      for (const [projectId, said] of projects) await this.store(manager, projectId, said);
    });
  }

  private async store(
    manager: EntityManager,
    projectId: string,
    { changes, ruled, rules }: News,
  ): Promise<void> {
    await lockCandidates(manager, projectId);
    const ended = changes.flatMap(({ id, endsCampaign }) => (endsCampaign ? [id] : []));
    const termed = await objectsTermedBy(manager, projectId, rules);
    const standing = await candidatesOf(manager, projectId, {
      ids: [...new Set([...changes.map(({ id }) => id), ...ruled, ...termed])],
      campaigns: [...ended, ...ruled],
    });
    const before = new Map(standing.map((row) => [row.id, row]));
    const rows = new Map<string, CandidateRow | null>(before);
    for (const { id, next, endsCampaign } of changes) {
      rows.set(id, next(rows.get(id) ?? null));
      if (endsCampaign) for (const row of standing) if (row.campaign_id === id) rows.set(row.id, null);
    }
    const gone = [...rows].flatMap(([id, row]) => (row === null && before.has(id) ? [id] : []));
    const left = [...rows.values()].filter((row) => row !== null);
    const changed = left.filter((row) => before.get(row.id) !== row);
    const again = new Set([...ruled, ...termed]);
    const otherwiseTermed = left.filter(
      (row) =>
        again.has(row.id) ||
        ruled.includes(row.campaign_id ?? '') ||
        isOtherwiseTermed(before.get(row.id) ?? null, row),
    );
    await storeCandidates(manager, changed);
    await deleteCandidates(manager, projectId, gone);
    const terms = await this.terms.of(manager, projectId, otherwiseTermed);
    await replaceTerms(
      manager,
      projectId,
      otherwiseTermed.map(({ id }) => id),
      terms,
    );
  }
}
