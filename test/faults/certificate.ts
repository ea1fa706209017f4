import { asLines, checkInvariants } from "../invariants/check.ts";
import { type Authority, type Certificate, createAuthority, OPENSSL } from "../support/certificates.ts";
import { DOVECOT, startDovecot } from "../support/dovecot.ts";
import { eventually } from "../support/eventually.ts";
import { createMailFixture } from "../support/mail-fixture.ts";
import { mailText } from "../support/mail-text.ts";
import type { Campaign, CampaignOptions } from "./campaign.ts";
import { type BadCertificate, certificatesOnTheWayOut } from "./certificate-out.ts";
import { startTlsFront } from "./tls-front.ts";

const WAIT_MS = 20_000;

interface Bad extends BadCertificate {
  /** The error that the mailbox reports. */
  words: RegExp;
}

/**
 * A server's certificate expires while the program runs, is renewed, has another name, or comes from another authority:
 * that of the mail server, the submission server, and a webhook receiver. Each time, blocked work reports the reason,
 * nothing wrong is trusted, and everything catches up afterwards.
 */
export const certificateCampaign: Campaign = async (options) => {
  if (!OPENSSL) return { skipped: "openssl is not installed" };
  const [authority, stranger] = [createAuthority(), createAuthority()];
  const host = ["127.0.0.1"];
  const good = () => authority.issue(host);
  const bad: Bad[] = [
    { name: "expired", certificate: authority.issue(host, -1), words: /expired/, outgoing: /expired/i },
    {
      name: "for another host",
      certificate: authority.issue(["elsewhere.test"]),
      words: /another host/,
      outgoing: /altname|another host/i,
    },
    {
      name: "of an unknown authority",
      certificate: stranger.issue(host),
      words: /unknown authority/,
      outgoing: /unable to (?:get|verify)|unknown authority/i,
    },
  ];
  const rounds = options.short ? bad : [...bad, ...bad, ...bad];
  if (!DOVECOT) options.say("without the mail server: Debian's dovecot-imapd is not installed");
  try {
    const incoming = DOVECOT ? await mailServer(rounds, authority, good, options) : null;
    const outgoing = await certificatesOnTheWayOut(rounds, authority, good);
    const figures = {
      // Of the mail server, the submission server and the receiver.
      certificates: rounds.length * (incoming ? 3 : 2),
      mail_server: incoming ? "yes" : "no",
      caught_up: (incoming?.arrived ?? 0) + outgoing.sends,
      sends: outgoing.sends,
      deliveries: outgoing.deliveries,
    };
    return { figures, misses: [...(incoming?.misses ?? []), ...outgoing.misses] };
  } finally {
    authority.remove();
    stranger.remove();
  }
};

async function mailServer(
  rounds: readonly Bad[],
  authority: Authority,
  good: () => Certificate,
  { say }: CampaignOptions,
): Promise<{ arrived: number; misses: string[] }> {
  const dovecot = await startDovecot();
  const front = await startTlsFront(dovecot.imapPort, good());
  const fixture = await createMailFixture({
    port: front.port,
    login: dovecot.logins.alice,
    longest_wait_ms: 100,
    connect: { ca: authority.ca },
    account: {
      connection: {
        imap: { host: "127.0.0.1", port: front.port, security: "tls" },
        smtp: null,
        ...dovecot.logins.alice,
      },
    },
  });
  const other = await dovecot.connect("alice");
  const misses: string[] = [];
  let arrived = 0;
  const agrees = (when: string) =>
    fixture.agrees(other, WAIT_MS).catch((error: Error) => misses.push(`${when}: ${error.message}`));
  try {
    await dovecot.deliver("alice", mailText({ id: "before" }));
    fixture.start();
    await agrees("at first");
    for (const [round, { name, certificate, words }] of rounds.entries()) {
      front.change(certificate);
      const subject = `Meanwhile ${round}`;
      await dovecot.deliver("alice", mailText({ id: `meanwhile-${round}`, subject }));
      // At first the only known error is that the connection ended.
      await eventually(
        () => fixture.account.status === "unreachable" && words.test(fixture.account.last_error ?? ""),
        WAIT_MS,
      ).catch(() =>
        misses.push(
          `a certificate ${name}: ${fixture.account.status}, "${fixture.account.last_error}" does not say so`,
        ),
      );
      if (fixture.messages().some((message) => message.subject === subject)) {
        misses.push(`mail came over a certificate ${name}`);
      }
      front.change(good());
      await agrees(`after a certificate ${name}`);
      arrived++;
      say(`${name}: ${fixture.account.last_error ?? "recovered"}`);
    }
    // The first message is announced if it arrived more than a second after the mailbox was connected.
    const announced = fixture
      .events("message.received")
      .map(({ data }) => data.subject as string)
      .filter((subject) => subject.startsWith("Meanwhile"));
    if (new Set(announced).size !== announced.length || announced.length !== arrived) {
      misses.push(`${announced.length} messages announced of ${arrived} that came`);
    }
    misses.push(...asLines((await checkInvariants(fixture.platform)).findings));
    return { arrived, misses };
  } finally {
    await fixture.close();
    await front.close();
    await dovecot.stop();
  }
}
