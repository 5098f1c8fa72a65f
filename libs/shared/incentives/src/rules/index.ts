export { CreateRuledCreations } from './create-ruled-creations.migration';
export { creationRow, isSettledCreation, RuledCreations } from './ruled-creations.table';
export { type RuledBeginning, RulesOfBodies } from './rules-of-bodies';
export { rulesOfContext } from './rules-of-context';
