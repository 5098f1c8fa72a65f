import type { PromotionStackEvent, PromotionStackSnapshot } from '@scrip/contracts/promotions';
import { changedCategory } from '@scrip/incentives';
import { isDeepStrictEqual } from 'node:util';
import { type PromotionsRefusal, stackNotFound } from '../promotions.refusals';
import type { DropTier, StackCommand, UpdateStack } from './stack.commands';

/** A stack as its stream tells it; a deleted one keeps what it was. */
export interface StackState {
  stack: PromotionStackSnapshot;
  deleted: boolean;
}

const update = (
  stored: PromotionStackSnapshot,
  { change, category, campaign, now }: UpdateStack,
): PromotionStackEvent[] => {
  const next = { ...stored, ...change, ...(category === undefined ? {} : changedCategory(stored, category)) };
  if (isDeepStrictEqual(next, stored)) return [];
  return [
    { type: 'PromotionStackUpdated', data: { promotion_stack: { ...next, updated_at: now }, campaign } },
  ];
};

// An empty stack could not be applied, and no caller could have made it.
const dropTier = (
  stack: PromotionStackSnapshot,
  { tier_id, campaign, now }: DropTier,
): PromotionStackEvent[] => {
  const tier_ids = stack.tier_ids.filter((id) => id !== tier_id);
  if (tier_ids.length === stack.tier_ids.length) return [];
  if (tier_ids.length === 0)
    return [{ type: 'PromotionStackDeleted', data: { promotion_stack: stack, campaign } }];
  const promotion_stack = { ...stack, tier_ids, updated_at: now };
  return [{ type: 'PromotionStackUpdated', data: { promotion_stack, campaign } }];
};

/** A repeated creation, and what changes nothing, append nothing. A stack that loses its last tier is deleted. Refuses
 *  `not_found`. Source: reference 04 §10, §15. */
export const decideStack = (
  command: StackCommand,
  state: StackState | undefined,
): PromotionStackEvent[] | PromotionsRefusal => {
  const { campaign } = command;
  if (command.type === 'CreateStack')
    return state
      ? []
      : [{ type: 'PromotionStackCreated', data: { promotion_stack: command.stack, campaign } }];
  if (!state || state.deleted) return stackNotFound(command.id);
  switch (command.type) {
    case 'UpdateStack':
      return update(state.stack, command);
    case 'DropTier':
      return dropTier(state.stack, command);
    case 'DeleteStack':
      return [{ type: 'PromotionStackDeleted', data: { promotion_stack: state.stack, campaign } }];
    default:
      return command satisfies never;
  }
};

/** Copies what events say. Total: returns undefined for events before the first one, never throws or decides. */
export const evolveStack = (
  state: StackState | undefined,
  event: PromotionStackEvent,
): StackState | undefined => {
  const { promotion_stack: stack } = event.data;
  switch (event.type) {
    case 'PromotionStackCreated':
      return { stack, deleted: false };
    case 'PromotionStackUpdated':
      return state && { ...state, stack };
    case 'PromotionStackDeleted':
      return state && { stack, deleted: true };
    default:
      return event satisfies never;
  }
};
