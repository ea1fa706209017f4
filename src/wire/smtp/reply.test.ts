import { expect, test } from "bun:test";
import { messageIdFor, replyRecipients, replyReferences, replySubject } from "./reply.ts";

test.each([
  ["Hello", "Re: Hello"],
  ["Re: Hello", "Re: Hello"],
  ["RE: re[2]:Re : Hello", "Re: Hello"],
  ["Fwd: Re: Hello", "Re: Fwd: Re: Hello"],
  ["Reply needed", "Re: Reply needed"],
  ["Re\r\nBcc: x", "Re: Re Bcc: x"],
  ["", "Re:"],
])("the reply to %j has the subject %j", (subject, expected) => {
  expect(replySubject(subject)).toBe(expected);
  expect(replySubject(expected)).toBe(expected);
});

const at = (email: string, name = "") => ({ name, email });
const SELF = ["alice@mail.test", "a.alias@mail.test"];

test("a reply is addressed to Reply-To, else to From, never to oneself", () => {
  const original = { from: at("bob@x.test", "Bob"), replyTo: [], to: [at("alice@mail.test"), at("carol@x.test")] };
  expect(replyRecipients(original, SELF)).toEqual([at("bob@x.test", "Bob")]);
  const asked = { ...original, replyTo: [at("list@x.test"), at("LIST@x.test"), at("Alice@Mail.test"), at("")] };
  expect(replyRecipients(asked, SELF)).toEqual([at("list@x.test")]);
  expect(replyRecipients({ ...original, replyTo: [at("alice@mail.test")] }, SELF)).toEqual([at("bob@x.test", "Bob")]);
});

test("a reply to one's own message is addressed to its recipients", () => {
  const own = {
    from: at("A.Alias@mail.test"),
    replyTo: [at("alice@mail.test")],
    to: [at("bob@x.test"), at("alice@mail.test")],
  };
  expect(replyRecipients(own, SELF)).toEqual([at("bob@x.test")]);
  expect(replyRecipients({ ...own, to: [at("alice@mail.test")] }, SELF)).toEqual([own.from]);
  expect(replyRecipients({ ...own, to: [] }, SELF)).toEqual([]);
  expect(replyRecipients({ from: at("", "nobody"), replyTo: [], to: [] }, SELF)).toEqual([]);
});

test("References follow RFC 5322 §3.6.4", () => {
  const ids = (n: number) => Array.from({ length: n }, (_, i) => `<${i}@x.test>`);
  expect(replyReferences({ messageId: "<c@x>", references: ["<a@x>", "<b@x>"], inReplyTo: ["<b@x>"] })).toEqual({
    in_reply_to: "<c@x>",
    references: ["<a@x>", "<b@x>", "<c@x>"],
  });
  expect(replyReferences({ messageId: "<c@x>", references: [], inReplyTo: ["<b@x>"] }).references).toEqual([
    "<b@x>",
    "<c@x>",
  ]);
  expect(replyReferences({ messageId: "<c@x>", references: [], inReplyTo: ["<a@x>", "<b@x>"] }).references).toEqual([
    "<c@x>",
  ]);
  expect(replyReferences({ messageId: null, references: ["<a@x>"], inReplyTo: [] })).toEqual({
    in_reply_to: null,
    references: ["<a@x>"],
  });
  expect(replyReferences({ messageId: "no id at all", references: [], inReplyTo: [] })).toEqual({
    in_reply_to: null,
    references: [],
  });
  const long = replyReferences({ messageId: "<new@x.test>", references: ids(100), inReplyTo: [] }).references;
  expect(long).toEqual(["<0@x.test>", ...ids(100).slice(-19), "<new@x.test>"]);
});

test("a Message-ID is in the sender's domain", () => {
  expect(messageIdFor("snd_01abc", "Alice@Bücher.test")).toBe("<snd_01abc@xn--bcher-kva.test>");
  expect(() => messageIdFor("a b", "alice@mail.test")).toThrow();
  expect(() => messageIdFor("ok", "nonsense")).toThrow();
});
