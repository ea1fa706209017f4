import { expect, test } from "bun:test";
import fc from "fast-check";
import { readReply, type Stage, type SubmitResult } from "../../wire/smtp/result.ts";
import { classify, type FailReason, GIVE_UP_MS, RETRY_WAITS_MS } from "./classify.ts";

const START = Date.parse("2026-03-02T09:00:00Z");

function refused(stage: Stage, text: string, others: string[] = []): SubmitResult {
  const reply = readReply(text)!;
  const rejected =
    stage === "rcpt" ? [text, ...others].map((one) => ({ recipient: "x@y.test", ...readReply(one)! })) : [];
  return { outcome: "refused", stage, ...reply, rejected };
}

type Row = [stage: Stage, expected: "retry" | FailReason, reply: string];

/** Replies as these servers send them. */
const ANSWERS: Row[] = [
  // Gmail, Google Workspace
  [
    "auth",
    "auth_failed",
    "535-5.7.8 Username and Password not accepted. For more information, go to\r\n535 5.7.8  https://support.google.com/mail/?p=BadCredentials a1-20020 - gsmtp",
  ],
  [
    "auth",
    "auth_failed",
    "534-5.7.9 Application-specific password required. For more information, go to\r\n534 5.7.9  https://support.google.com/mail/?p=InvalidSecondFactor - gsmtp",
  ],
  [
    "auth",
    "auth_failed",
    "534-5.7.14 <https://accounts.google.com/signin/continue?sarp=1> Please log in via your web browser and then try again. - gsmtp",
  ],
  ["auth", "retry", "454 4.7.0 Too many login attempts, please try again later. z8 - gsmtp"],
  ["auth", "retry", "421 4.7.0 Try again later, closing connection. (EHLO) - gsmtp"],
  [
    "mail",
    "auth_failed",
    "530-5.7.0 Authentication Required. For more information, go to\r\n530 5.7.0  https://support.google.com/mail/?p=WantAuthError - gsmtp",
  ],
  ["mail", "auth_failed", "530 5.7.0 Must issue a STARTTLS command first. d9 - gsmtp"],
  [
    "mail",
    "sending_limit",
    "550 5.4.5 Daily user sending limit exceeded. For more information on Gmail sending limits go to https://support.google.com/a/answer/166852 - gsmtp",
  ],
  ["content", "sending_limit", "550-5.4.5 Daily SMTP relay limit exceeded for customer. - gsmtp"],
  [
    "rcpt",
    "recipient_rejected",
    "550-5.1.1 The email account that you tried to reach does not exist. Please try\r\n550 5.1.1 double-checking the recipient's email address for typos - gsmtp",
  ],
  ["rcpt", "recipient_rejected", "552-5.2.2 The recipient's inbox is out of storage space and inactive. - gsmtp"],
  ["rcpt", "retry", "452-4.2.2 The recipient's inbox is out of storage space. - gsmtp"],
  [
    "rcpt",
    "retry",
    "450-4.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages from being delivered. - gsmtp",
  ],
  ["rcpt", "recipient_rejected", "553-5.1.2 We weren't able to find the recipient domain. - gsmtp"],
  ["content", "message_too_large", "552-5.3.4 Your message exceeded Google's message size limits. - gsmtp"],
  [
    "content",
    "provider_rejected",
    "552-5.7.0 This message was blocked because its content presents a potential security issue. - gsmtp",
  ],
  [
    "content",
    "provider_rejected",
    "550-5.7.1 Our system has detected that this message is likely unsolicited mail. To reduce the amount of spam sent to Gmail, this message has been blocked. - gsmtp",
  ],
  [
    "content",
    "retry",
    "421-4.7.28 Gmail has detected an unusual rate of unsolicited mail originating from your IP address. - gsmtp",
  ],
  ["content", "retry", "451 4.3.0 Mail server temporarily rejected message. - gsmtp"],
  [
    "content",
    "provider_rejected",
    "550-5.7.26 This mail has been blocked because the sender is unauthenticated. - gsmtp",
  ],
  // Microsoft 365, Outlook.com, Exchange
  ["auth", "auth_failed", "535 5.7.3 Authentication unsuccessful [AM0PR01CA0001.eurprd01.prod.exchangelabs.com]"],
  [
    "auth",
    "auth_failed",
    "535 5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the Tenant.",
  ],
  ["auth", "auth_failed", "535 5.7.139 Authentication unsuccessful, basic authentication is disabled."],
  [
    "auth",
    "retry",
    "432 4.3.2 Concurrent connections limit exceeded. Visit https://aka.ms/concurrent_sending for more information.",
  ],
  ["mail", "auth_failed", "530 5.7.57 Client not authenticated to send mail."],
  [
    "content",
    "sender_rejected",
    "554 5.2.252 SendAsDenied; alice@contoso.test not allowed to send as bob@contoso.test; STOREDRV.Submission.Exception:SendAsDeniedException",
  ],
  [
    "mail",
    "sender_rejected",
    "550 5.7.60 SMTP; Client does not have permissions to send as this sender; not allowed to send as",
  ],
  [
    "rcpt",
    "recipient_rejected",
    "550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient x@y.test not found by SMTP address lookup",
  ],
  ["rcpt", "recipient_rejected", "550 5.4.1 Recipient address rejected: Access denied. AS(201806281)"],
  ["rcpt", "recipient_rejected", "550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302)."],
  [
    "content",
    "sending_limit",
    "554 5.2.0 STOREDRV.Submission.Exception: OutboundSpamException; message submission rate limit exceeded",
  ],
  ["mail", "retry", "451 4.7.500 Server busy. Please try again later from [1.2.3.4]. (S77714)"],
  [
    "mail",
    "retry",
    "421 4.3.2 The maximum number of concurrent connections has exceeded a limit, closing transmission channel",
  ],
  ["mail", "message_too_large", "552 5.3.4 Message size exceeds fixed maximum message size"],
  ["content", "provider_rejected", "550 5.7.501 Service unavailable. Access denied, spam abuse detected."],
  ["mail", "retry", "451 4.7.0 Temporary server error. Please try again later. PRX2"],
  ["rcpt", "retry", "452 4.5.3 Recipients belong to multiple regions ATTR38"],
  ["rcpt", "provider_rejected", "550 5.7.1 Unable to relay"],
  // Postfix
  ["auth", "auth_failed", "535 5.7.8 Error: authentication failed: UGFzc3dvcmQ6"],
  ["auth", "retry", "454 4.7.0 Temporary authentication failure: Connection lost to authentication server"],
  ["starttls", "retry", "454 4.7.0 TLS not available due to local problem"],
  ["starttls", "tls_failed", "502 5.5.1 Error: command not implemented"],
  ["mail", "auth_failed", "530 5.7.0 Must issue a STARTTLS command first"],
  [
    "rcpt",
    "recipient_rejected",
    "550 5.1.1 <x@y.test>: Recipient address rejected: User unknown in virtual mailbox table",
  ],
  ["rcpt", "provider_rejected", "554 5.7.1 Relay access denied"],
  ["rcpt", "sender_rejected", "553 5.7.1 <bob@mail.test>: Sender address rejected: not owned by user alice@mail.test"],
  ["rcpt", "sender_rejected", "550 5.1.8 <a@nowhere.test>: Sender address rejected: Domain not found"],
  [
    "rcpt",
    "retry",
    "450 4.2.0 <x@y.test>: Recipient address rejected: Greylisted, see http://postgrey.schweikert.ch/help/y.test.html",
  ],
  ["rcpt", "retry", "450 4.1.2 <x@y.test>: Recipient address rejected: Domain not found"],
  ["rcpt", "retry", "451 4.3.5 <x@y.test>: Recipient address rejected: Server configuration problem"],
  ["mail", "retry", "452 4.3.1 Insufficient system storage"],
  ["mail", "message_too_large", "552 5.3.4 Message size exceeds fixed limit"],
  [
    "content",
    "provider_rejected",
    "554 5.7.1 Service unavailable; Client host [1.2.3.4] blocked using zen.spamhaus.org",
  ],
  ["connect", "provider_rejected", "554 5.7.1 Service unavailable; Client host blocked"],
  ["connect", "retry", "421 4.7.0 mail.test Error: too many connections from 1.2.3.4"],
  ["mail", "retry", "450 4.7.1 Error: too much mail from 1.2.3.4"],
  ["mail", "smtputf8_unsupported", "550 5.6.7 non-ASCII addresses not permitted for that sender/recipient"],
  ["content", "provider_rejected", "550 5.7.1 Message rejected under suspicion of SPAM; https://spam.test/ABC"],
  // Exim
  ["auth", "auth_failed", "535 Incorrect authentication data"],
  ["auth", "retry", "435 Unable to authenticate at present"],
  ["rcpt", "recipient_rejected", "550 Unrouteable address"],
  ["rcpt", "recipient_rejected", "550 No such user here"],
  ["rcpt", "retry", "451 Temporary local problem - please try later"],
  ["rcpt", "sender_rejected", "550 Sender verify failed"],
  ["mail", "message_too_large", "552 Message size exceeds maximum permitted"],
  ["content", "provider_rejected", "550 This message was classified as SPAM and may not be delivered"],
  [
    "mail",
    "sending_limit",
    "550 Domain example.test has exceeded the max emails per hour (102/100 (102%)) allowed. Message discarded: limit exceeded",
  ],
  // Yahoo, AOL
  ["auth", "auth_failed", "535 5.7.0 (#AUTH005) Too many bad auth attempts."],
  ["auth", "auth_failed", "535 5.7.0 (#AUTH013) Invalid credentials; an app password is required"],
  ["content", "retry", "451 Resources temporarily unavailable. Please try again later [#4.16.5]."],
  [
    "connect",
    "retry",
    "421 4.7.0 [TSS04] Messages from 1.2.3.4 temporarily deferred due to unexpected volume or user complaints",
  ],
  ["content", "provider_rejected", "554 5.7.9 Message not accepted for policy reasons."],
  ["rcpt", "recipient_rejected", "554 delivery error: dd This user doesn't have a yahoo.com account (x@yahoo.com) [0]"],
  ["content", "sender_rejected", "550 Request failed; Mailbox unavailable: From address must match authenticated user"],
  // Fastmail, iCloud, GMX, Zoho, Proton Bridge, IONOS
  [
    "content",
    "sender_rejected",
    "551 5.7.1 Not authorised to send from this header address: From address not verified",
  ],
  ["mail", "sender_rejected", "553 5.7.1 Sender address rejected: not owned by user"],
  [
    "content",
    "provider_rejected",
    "554 5.7.1 [HM08] Message rejected due to local policy. Please visit https://support.apple.com/en-us/HT204137",
  ],
  ["mail", "retry", "450 4.7.1 Requested mail action not taken: mailbox unavailable, try again later"],
  ["content", "sending_limit", "554 5.4.6 Hourly sending limit exceeded, try after some time"],
  ["content", "provider_rejected", "550 5.4.6 Unusual sending activity detected. Please try after sometime"],
  ["mail", "sender_rejected", "553 Relaying disallowed as invalid sender"],
  ["auth", "auth_failed", "535 Authentication credentials invalid"],
  ["auth", "auth_failed", "538 5.7.11 Encryption required for requested authentication mechanism"],
  ["content", "sending_limit", "550 Sending limit reached, message sending limit for today"],
  // Amazon SES, SendGrid
  ["content", "retry", "454 Throttling failure: Maximum sending rate exceeded."],
  ["content", "sending_limit", "554 Transaction failed: Daily message quota exceeded."],
  ["content", "provider_rejected", "554 Message rejected: Email address is not verified."],
  ["data", "retry", "451 4.3.0 queue file write error"],
  ["content", "retry", "451 4.4.2 Timeout - closing connection"],
];

test.each(ANSWERS)("%s: %s: %s", (stage, expected, reply) => {
  const step = classify(refused(stage, reply), 1, START, START);
  if (expected === "retry") expect(step).toMatchObject({ next: "retry", at: START + 60_000 });
  else expect(step).toMatchObject({ next: "failed", reason: expected });
  // The provider's own text stays readable.
  expect("detail" in step && step.detail.length).toBeGreaterThan(10);
});

test("faults detected before the server is asked", () => {
  const ours = (stage: Stage): SubmitResult => ({
    outcome: "refused",
    stage,
    code: null,
    enhanced: null,
    response: "no",
    rejected: [],
  });
  expect(classify(ours("size"), 1, START, START)).toMatchObject({ next: "failed", reason: "message_too_large" });
  expect(classify(ours("smtputf8"), 1, START, START)).toMatchObject({ next: "failed", reason: "smtputf8_unsupported" });
  expect(classify(ours("auth"), 1, START, START)).toMatchObject({ next: "failed", reason: "auth_failed" });
});

test("one recipient deferred among refused ones: tried again; delivered to one: sent, with the others recorded", () => {
  const mixed = refused("rcpt", "550 5.1.1 no such user", ["450 4.2.0 greylisted"]);
  expect(classify(mixed, 1, START, START).next).toBe("retry");
  const rejected = [{ recipient: "no@y.test", code: 550, enhanced: "5.1.1", response: "550 5.1.1 no such user" }];
  expect(classify({ outcome: "accepted", response: "250 ok", rejected }, 1, START, START)).toEqual({
    next: "sent",
    rejected,
  });
});

test("connection faults wait 1, 5, 15, 30, 60 minutes, then an hour each, for 24 hours", () => {
  const cut: SubmitResult = { outcome: "not_sent", reason: "cut", detail: "the connection was closed" };
  const waits: number[] = [];
  let now = START;
  for (let attempt = 1; ; attempt++) {
    const step = classify(cut, attempt, START, now);
    if (step.next !== "retry") {
      expect(step).toMatchObject({ next: "failed", reason: "unreachable" });
      break;
    }
    waits.push((step.at - now) / 60_000);
    now = step.at;
  }
  expect(waits.slice(0, 7)).toEqual([1, 5, 15, 30, 60, 60, 60]);
  expect(now - START).toBe(GIVE_UP_MS);
  expect(waits.length).toBe(28);
  expect(classify({ ...cut, reason: "tls" }, 29, START, now)).toMatchObject({ reason: "tls_failed" });
  const busy = refused("mail", "451 4.3.0 busy");
  expect(classify(busy, 29, START, now)).toEqual({
    next: "failed",
    reason: "provider_rejected",
    detail: "451 4.3.0 busy",
  });
});

test("an unknown outcome is never retried, whenever it happens", () => {
  const unknown: SubmitResult = { outcome: "unknown", detail: "cut after the message" };
  fc.assert(
    fc.property(fc.nat(100), fc.nat(3 * GIVE_UP_MS), (attempt, late) => {
      expect(classify(unknown, attempt, START, START + late).next).toBe("unknown");
    }),
  );
});

test("a retry is always in the future and never after the end", () => {
  const cut: SubmitResult = { outcome: "not_sent", reason: "timeout", detail: "slow" };
  fc.assert(
    fc.property(fc.nat(100), fc.nat(2 * GIVE_UP_MS), (attempt, late) => {
      const now = START + late;
      const step = classify(cut, attempt, START, now);
      if (step.next !== "retry") return expect(late).toBeGreaterThanOrEqual(GIVE_UP_MS);
      expect(step.at).toBeGreaterThan(now);
      expect(step.at).toBeLessThanOrEqual(Math.min(now + RETRY_WAITS_MS.at(-1)!, START + GIVE_UP_MS));
    }),
  );
});
