import type { Provider } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import { type QualificationPort, qualificationPort } from '@scrip/contracts/qualification';
import type { ContextName } from '@scrip/contracts/registry';
import { portToken } from '@scrip/rpc';
import type { DataSource } from 'typeorm';
import { RuledCreations } from './ruled-creations.table';
import { RulesOfBodies } from './rules-of-bodies';

/** The providers of a context that creates objects with rules, for its module: `RulesOfBodies`, `RuledCreations`. The context has the
 *  migration `CreateRuledCreations`. */
export const rulesOfContext = (context: ContextName): Provider[] => [
  {
    provide: RuledCreations,
    inject: [getDataSourceToken(context)],
    useFactory: (dataSource: DataSource) => new RuledCreations(dataSource),
  },
  {
    provide: RulesOfBodies,
    inject: [portToken(qualificationPort), RuledCreations],
    useFactory: (port: QualificationPort, creations: RuledCreations) => new RulesOfBodies(port, creations),
  },
];
