import { Body, Controller, Delete, Get, Headers, HttpCode, Param, Post, Put, Res } from '@nestjs/common';
import { Browser, type BrowserCall, Call, ContextOf, IsText, listOf, Operation, Refusals } from '@scrip/edge';
import { type CallContext, isRefused } from '@scrip/kernel';
import { callerOf } from '../audit/audit-caller';
import type { AuditActor } from '../audit/audit-entry';
import { IsOptional } from 'class-validator';
import { type AuthRefusal, authRefusals } from '../auth.refusals';
import { sessionExamples } from './session.examples';
import { noSessionCookie, sessionCookie } from './session-cookie';
import { type OfSession, SessionHandlers, type SignedIn } from './session.handlers';
import type { BegunSession, SessionOrigin } from './session.table';
import { type ListedSession, renderListedSession, renderSession, type SessionResponse } from './session.wire';

class SignInBody {
  @IsText({ max: 254 })
  login: string;

  @IsText({ max: 1_000 })
  password: string;

  /** Of the second factor, or a backup code, where the user has one. */
  @IsOptional()
  @IsText({ max: 64 })
  code?: string;
}

class PasswordBody {
  @IsText({ max: 1_000 })
  password: string;
}

class PasswordChangeBody {
  @IsText({ max: 1_000 })
  current_password: string;

  @IsText({ max: 1_000 })
  password: string;
}

interface HeaderReply {
  header(name: string, value: string): unknown;
}

/** What a call that begins a session brings. */
interface BeginningCall {
  browser: BrowserCall;
  call: CallContext;
  agent: string | undefined;
  reply: HeaderReply;
}

const sessionOf = ({ session }: BrowserCall): OfSession => {
  if (!session) throw new Error('unreachable: the edge lets no call in without a session');
  return session;
};

const answer = (signedIn: SignedIn | AuthRefusal): SessionResponse | AuthRefusal =>
  isRefused(signedIn) ? signedIn : renderSession(signedIn);

/** Signs users in and out. Source: reference 07 §2.5. */
@Controller('dashboard/api')
@ContextOf('auth')
@Refusals(authRefusals)
export class SessionHttp {
  constructor(private readonly sessions: SessionHandlers) {}

  @Post('session')
  @Operation({
    id: 'signIn',
    summary: 'Begins a session of a user',
    description: 'The answer sets the cookie that further calls send.',
    refuses: ['unauthorized', 'second_factor_required'],
    example: sessionExamples.signIn,
    answers: { 200: 'SessionResponse' },
  })
  async signIn(
    @Browser() browser: BrowserCall,
    @Call() call: CallContext,
    @Body() body: SignInBody,
    @Headers('user-agent') agent: string | undefined,
    @Res({ passthrough: true }) reply: HeaderReply,
  ): Promise<SessionResponse | AuthRefusal> {
    return this.begun({ browser, call, agent, reply }, (...from) => this.sessions.signIn(body, ...from));
  }

  @Get('session')
  @Operation({
    id: 'getSession',
    summary: 'Tells who is signed in, with projects and permissions',
    refuses: ['unauthorized'],
    answers: { 200: 'SessionResponse' },
  })
  async current(@Browser() browser: BrowserCall): Promise<SessionResponse | AuthRefusal> {
    return answer(await this.sessions.current(sessionOf(browser)));
  }

  @Delete('session')
  @HttpCode(204)
  @Operation({ id: 'signOut', summary: 'Ends this session', refuses: [], answers: { 204: null } })
  async signOut(
    @Browser() browser: BrowserCall,
    @Call() call: CallContext,
    @Res({ passthrough: true }) reply: HeaderReply,
  ): Promise<void> {
    const session = sessionOf(browser);
    await this.sessions.end(session, session.id, callerOf(browser, call));
    reply.header('Set-Cookie', noSessionCookie(browser));
  }

  @Put('session/password')
  @Operation({
    id: 'changePassword',
    summary: 'Changes the password, and ends the other sessions of the user',
    description: 'The answer sets the cookie of another session.',
    refuses: ['unauthorized', 'invalid_payload'],
    example: sessionExamples.changePassword,
    answers: { 200: 'SessionResponse' },
  })
  async changePassword(
    @Browser() browser: BrowserCall,
    @Call() call: CallContext,
    @Body() body: PasswordChangeBody,
    @Headers('user-agent') agent: string | undefined,
    @Res({ passthrough: true }) reply: HeaderReply,
  ): Promise<SessionResponse | AuthRefusal> {
    return this.begun({ browser, call, agent, reply }, (...from) =>
      this.sessions.changePassword(sessionOf(browser), body, ...from),
    );
  }

  @Post('session/password-again')
  @Operation({
    id: 'enterPasswordAgain',
    summary: 'Takes the password again, for 10 minutes of calls that ask for it',
    refuses: ['unauthorized'],
    example: sessionExamples.passwordAgain,
    answers: { 200: 'SessionResponse' },
  })
  async passwordAgain(
    @Browser() browser: BrowserCall,
    @Call() call: CallContext,
    @Body() { password }: PasswordBody,
  ): Promise<SessionResponse | AuthRefusal> {
    const by = callerOf(browser, call);
    return answer(await this.sessions.passwordAgain(sessionOf(browser), password, browser.address, by));
  }

  @Get('sessions')
  @Operation({
    id: 'listSessions',
    summary: 'Lists the sessions of the user, the one used last first',
    refuses: [],
    links: { endSession: { sessionId: '/data/0/id' } },
    answers: { 200: { list: 'data', of: 'ListedSession', counts: ['total'] } },
  })
  async list(@Browser() browser: BrowserCall): Promise<object> {
    const session = sessionOf(browser);
    const sessions = await this.sessions.ofUser(session);
    const listed: ListedSession[] = sessions.map((one) => renderListedSession(one, session.id));
    return listOf('data', listed, { total: listed.length });
  }

  @Delete('sessions/:sessionId')
  @HttpCode(204)
  @Operation({
    id: 'endSession',
    summary: 'Ends a session of the user',
    refuses: ['not_found'],
    answers: { 204: null },
  })
  async end(
    @Browser() browser: BrowserCall,
    @Call() call: CallContext,
    @Param('sessionId') id: string,
  ): Promise<AuthRefusal | undefined> {
    return (await this.sessions.end(sessionOf(browser), id, callerOf(browser, call))) ?? undefined;
  }

  /** Answers a session that begins, with its cookie. */
  private async begun(
    { browser, call, agent, reply }: BeginningCall,
    begin: (origin: SessionOrigin, by: AuditActor) => Promise<(SignedIn & BegunSession) | AuthRefusal>,
  ): Promise<SessionResponse | AuthRefusal> {
    const origin = { address: browser.address, agent: agent ?? '' };
    const signedIn = await begin(origin, callerOf(browser, call));
    if (isRefused(signedIn)) return signedIn;
    reply.header('Set-Cookie', sessionCookie(browser, signedIn.token));
    return renderSession(signedIn);
  }
}
