import { categoryMustBeOneOfTwo } from '@scrip/incentives';
import { type Refusal, refuse } from '@scrip/kernel';
import type { StackChange } from './stack.commands';
import type { UpdateStackBody } from './stack.dto';

const mustBe = (path: string, kind: string) =>
  refuse('invalid_payload', `Property ${path} should be ${kind}`);

/** What a body changes beside the category; absent fields stay. Refuses `invalid_payload` for null where a stack has
 *  something always. Source: reference 04 §10. */
export const stackChangeOf = (body: UpdateStackBody): StackChange | Refusal<'invalid_payload'> => {
  const twice = categoryMustBeOneOfTwo(body);
  if (twice) return twice;
  const { name, tiers } = body;
  if (name === null) return mustBe('.name', 'string');
  if (tiers === null) return mustBe('.tiers', 'object');
  if (tiers?.ids === null) return mustBe('.tiers.ids', 'array');
  return {
    ...(name === undefined ? {} : { name }),
    ...(tiers?.ids === undefined ? {} : { tier_ids: tiers.ids }),
  };
};
