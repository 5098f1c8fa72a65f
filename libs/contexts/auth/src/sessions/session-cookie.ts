import { type BrowserCall, sessionCookieName } from '@scrip/edge';
import type { Secret } from '@scrip/kernel';
import { lifetimeS } from './session.table';

const attributesOf = ({ isSecure }: BrowserCall): string =>
  `; Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;

/** The `Set-Cookie` of a session. */
export const sessionCookie = (browser: BrowserCall, token: Secret): string =>
  `${sessionCookieName(browser.isSecure)}=${token.reveal()}; Max-Age=${lifetimeS}${attributesOf(browser)}`;

/** The `Set-Cookie` that makes a browser forget its session. */
export const noSessionCookie = (browser: BrowserCall): string =>
  `${sessionCookieName(browser.isSecure)}=; Max-Age=0${attributesOf(browser)}`;
