import { Injectable } from '@nestjs/common';
import type { ClaimKey } from '@scrip/contracts/claims';
import type { QualificationPort } from '@scrip/contracts/qualification';
import { Outcomes } from './outcomes/outcomes';
import { verdictsOn } from './outcomes/verdicts';

const idsOf = (claims: readonly ClaimKey[]): string[] => claims.map(({ redemption_id }) => redemption_id);

/** What owners of claims ask of qualification. Source: architecture §7. */
@Injectable()
export class QualificationPortHandlers implements QualificationPort {
  constructor(private readonly outcomes: Outcomes) {}

  resolveOutcomes: QualificationPort['resolveOutcomes'] = async (_, { claims }) =>
    verdictsOn(await this.outcomes.resolveAfterWaiting(idsOf(claims)), claims);

  readOutcomes: QualificationPort['readOutcomes'] = async (_, { claims }) =>
    verdictsOn(await this.outcomes.read(idsOf(claims)), claims);
}
