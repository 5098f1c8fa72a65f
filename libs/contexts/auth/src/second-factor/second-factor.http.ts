import { Body, Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import { Browser, type BrowserCall, Call, ContextOf, IsText, Operation, Refusals } from '@scrip/edge';
import { type CallContext, isRefused } from '@scrip/kernel';
import { callerOf } from '../audit/audit-caller';
import { type AuthRefusal, authRefusals } from '../auth.refusals';
import { type OfSession, SessionHandlers } from '../sessions/session.handlers';
import {
  type BackupCodesResponse,
  type OfferedFactorResponse,
  renderBackupCodes,
  renderFactor,
  renderOfferedFactor,
  type SecondFactorResponse,
} from './second-factor.wire';

class CodeBody {
  @IsText({ max: 64 })
  code: string;
}

const sessionOf = ({ session }: BrowserCall): OfSession => {
  if (!session) throw new Error('unreachable: the edge lets no call in without a session');
  return session;
};

/** The second factor of the user who is signed in. Source: reference 07 §2.5. */
@Controller('dashboard/api/session/second-factor')
@ContextOf('auth')
@Refusals(authRefusals)
export class SecondFactorHttp {
  constructor(private readonly sessions: SessionHandlers) {}

  @Get()
  @Operation({
    id: 'getSecondFactor',
    summary: 'Tells whether sign-ins of the user take a second factor',
    refuses: [],
    answers: { 200: 'SecondFactorResponse' },
  })
  async get(@Browser() browser: BrowserCall): Promise<SecondFactorResponse> {
    return renderFactor(await this.sessions.secondFactor(sessionOf(browser)));
  }

  @Post()
  @Operation({
    id: 'beginSecondFactor',
    summary: 'Makes the secret of a second factor',
    description: 'The secret is shown here only, and counts once a code of it came.',
    refuses: ['unauthorized', 'second_factor_exists'],
    answers: { 200: 'OfferedFactorResponse' },
  })
  async begin(@Browser() browser: BrowserCall): Promise<OfferedFactorResponse | AuthRefusal> {
    const offered = await this.sessions.beginSecondFactor(sessionOf(browser));
    return isRefused(offered) ? offered : renderOfferedFactor(offered);
  }

  @Put()
  @Operation({
    id: 'confirmSecondFactor',
    summary: 'Has sign-ins take the second factor from now on',
    description:
      'Takes the code that the authenticator shows. The backup codes are shown here only; other sessions of the user end.',
    refuses: ['invalid_payload', 'not_found', 'second_factor_exists'],
    example: { code: '123456' },
    answers: { 200: 'BackupCodesResponse' },
  })
  async confirm(
    @Browser() browser: BrowserCall,
    @Call() call: CallContext,
    @Body() { code }: CodeBody,
  ): Promise<BackupCodesResponse | AuthRefusal> {
    const codes = await this.sessions.confirmSecondFactor(sessionOf(browser), code, callerOf(browser, call));
    return isRefused(codes) ? codes : renderBackupCodes(codes);
  }

  @Delete()
  @HttpCode(204)
  @Operation({
    id: 'removeSecondFactor',
    summary: 'Has sign-ins take the password alone again',
    refuses: ['not_found'],
    answers: { 204: null },
  })
  async remove(@Browser() browser: BrowserCall, @Call() call: CallContext): Promise<AuthRefusal | undefined> {
    return (await this.sessions.removeSecondFactor(sessionOf(browser), callerOf(browser, call))) ?? undefined;
  }

  @Post('backup-codes')
  @Operation({
    id: 'renewBackupCodes',
    summary: 'Replaces the backup codes',
    description: 'They are shown here only.',
    refuses: ['not_found'],
    answers: { 200: 'BackupCodesResponse' },
  })
  async renew(
    @Browser() browser: BrowserCall,
    @Call() call: CallContext,
  ): Promise<BackupCodesResponse | AuthRefusal> {
    const codes = await this.sessions.renewBackupCodes(sessionOf(browser), callerOf(browser, call));
    return isRefused(codes) ? codes : renderBackupCodes(codes);
  }
}
