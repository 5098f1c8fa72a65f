import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { CodeConfig } from '@scrip/contracts/campaigns';
import { ofAnyLength } from '@scrip/event-store';
import type { ProjectContext } from '@scrip/kernel';
import type { DataSource } from 'typeorm';
import { foldCode } from './code-config';
import { codeSpace } from './code-space';
import { type CandidateCode, findFreeCodes } from './free-codes';
import { randomIndexes } from './random-indexes';

/** Finds codes that are free in the project. */
@Injectable()
export class CodeFinder {
  private readonly randomIndex = randomIndexes();

  constructor(@InjectDataSource('campaigns') private readonly dataSource: DataSource) {}

  /** Up to `count` different free codes; fewer only when no more exist. Only storing them makes sure of them. */
  find(project: ProjectContext, config: CodeConfig, count: number): Promise<CandidateCode[]> {
    const caseSensitive = project.caseSensitiveCodes;
    return findFreeCodes(
      {
        space: codeSpace(config, caseSensitive, this.randomIndex),
        keyOf: (code) => foldCode(code, caseSensitive),
        takenKeys: (keys) => this.taken(project.id, keys),
      },
      count,
    );
  }

  private async taken(projectId: string, keys: string[]): Promise<ReadonlySet<string>> {
    const rows = await this.dataSource.query<{ code_key: string }[]>(
      `SELECT code_key FROM vouchers WHERE project_id = $1 AND code_key = ANY(${ofAnyLength('$2')})`,
      [projectId, keys],
    );
    return new Set(rows.map(({ code_key }) => code_key));
  }
}
