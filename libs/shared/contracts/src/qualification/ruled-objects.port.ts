import type { RequestContext } from '@scrip/kernel';
import type { RuledObjectType } from './rule.events';

/** What rules are assigned to. */
export interface RuledObject {
  type: RuledObjectType;
  id: string;
  /** Of the campaign that it belongs to. */
  campaign_id: string | null;
}

/** Objects of one call. */
export const ruledObjectsPerCall = 500;

/** What owners of objects that rules are assigned to answer. Source: ADR 114. */
export interface RuledObjectsPort {
  /** Returns which of these objects, at most `ruledObjectsPerCall`, do not exist and never will: they were deleted, or their
   *  creation did not come to its end, and from then on it cannot. Never ask about a creation that waits for your answer. */
  resolveRuledObjects(
    context: RequestContext,
    request: { objects: RuledObject[] },
  ): Promise<{ gone: string[] }>;
}

/** The methods of `RuledObjectsPort`. */
export const ruledObjectsMethods = ['resolveRuledObjects'] as const;
