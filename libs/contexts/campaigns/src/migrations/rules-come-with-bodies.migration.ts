import { CreateRuledCreations } from '@scrip/incentives/rules';

/** Campaigns and vouchers are created with rules. Source: ADR 114. */
export class RulesComeWithBodies1802200000115 extends CreateRuledCreations {
  readonly name = 'RulesComeWithBodies1802200000115';
}
