import { CreateRuledCreations } from '@scrip/incentives/rules';

/** Tiers are created with rules. Source: ADR 114. */
export class RulesComeWithBodies1802200000116 extends CreateRuledCreations {
  readonly name = 'RulesComeWithBodies1802200000116';
}
