import { Injectable } from '@nestjs/common';
import { ContextExports } from '@scrip/exports';
import type { ClaimKey } from '@scrip/contracts/claims';
import type { QualificationPort } from '@scrip/contracts/qualification';
import { Outcomes } from './outcomes/outcomes';
import { verdictsOn } from './outcomes/verdicts';

const idsOf = (claims: readonly ClaimKey[]): string[] => claims.map(({ redemption_id }) => redemption_id);

/** What owners of claims ask of qualification. Source: architecture §7. */
@Injectable()
export class QualificationPortHandlers implements QualificationPort {
  constructor(
    private readonly outcomes: Outcomes,
    private readonly exports: ContextExports,
  ) {}

  resolveOutcomes: QualificationPort['resolveOutcomes'] = async (_, { claims }) =>
    verdictsOn(await this.outcomes.resolveAfterWaiting(idsOf(claims)), claims);

  readOutcomes: QualificationPort['readOutcomes'] = async (_, { claims }) =>
    verdictsOn(await this.outcomes.read(idsOf(claims)), claims);

  checkExport: QualificationPort['checkExport'] = (context, request) => this.exports.check(context, request);

  writeExport: QualificationPort['writeExport'] = (context, request) => this.exports.write(context, request);
}
