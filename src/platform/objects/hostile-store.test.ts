import { afterEach, expect, test } from "bun:test";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { systemClock } from "../clock.ts";
import { textOf } from "./s3-faults.ts";
import { S3Store } from "./s3-store.ts";
import { StoreFault } from "./store.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

type Answer = (incoming: IncomingMessage, reply: ServerResponse) => void;

async function serve(answer: Answer): Promise<{ endpoint: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((incoming, reply) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    answer(incoming, reply);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

/** A store that answers anything. */
async function hostile(answer: Answer) {
  const { endpoint, asked } = await serve(answer);
  const store = new S3Store({
    bucket: "bucket",
    prefix: "prefix",
    endpoint,
    region: "us-east-1",
    access_key_id: "id",
    secret_access_key: "secret",
    path_style: true,
    ca: null,
    pauseMs: 1,
    clock: systemClock,
    calls: null,
  });
  return { store, asked };
}

const faultOf = (work: Promise<unknown>) => work.then(() => null).catch((error) => error as StoreFault);
const listed = async (store: S3Store) => (await Array.fromAsync(store.list("log/"))).map(({ key }) => key);
const entry = (key: string) =>
  `<Contents><Key>prefix/${key}</Key><LastModified>2026-01-01T00:00:00Z</LastModified><Size>1</Size></Contents>`;

test.each([
  ["objects without an end", "<Contents>".repeat(400_000)],
  ["keys without an end", `<Contents>${"<Key ".repeat(700_000)}</Contents>`],
  ["a document of entities", `<!DOCTYPE a [<!ENTITY b "bbbb">]><Contents><Key>&b;</Key></Contents>`],
])("a list with %s costs little time", async (_what, xml) => {
  const { store } = await hostile((_incoming, reply) => void reply.end(xml));
  const start = performance.now();
  expect(await listed(store)).toEqual([]);
  expect(performance.now() - start).toBeLessThan(3_000);
});

test("an error with a long description costs little time", async () => {
  const body = Buffer.from("<Code ".repeat(1_000_000));
  const { store } = await hostile((_incoming, reply) => void reply.writeHead(400).end(body));
  const start = performance.now();
  expect((await faultOf(store.get("keys", 8 * 1024 * 1024)))?.reason).toBe("refused");
  expect(performance.now() - start).toBeLessThan(3_000);
});

test("a list that leads outside its folder, or to names that Postroom does not use, is not followed", async () => {
  const keys = ["log/../index", "log/../../../other/x", "log//a", "log/A.part", "log/good", "log/%2e%2e/x"];
  const { store } = await hostile((_incoming, reply) => void reply.end(keys.map(entry).join("")));
  expect(await listed(store)).toEqual(["log/good"]);
});

test.each([
  ["names the same next page", () => "same"],
  ["has empty pages for ever", (count: number) => String(count)],
])("a list that %s ends with a fault", async (_what, next) => {
  let count = 0;
  const { store, asked } = await hostile((_incoming, reply) => {
    const token = next(count++);
    reply.end(`<IsTruncated>true</IsTruncated><NextContinuationToken>${token}</NextContinuationToken>`);
  });
  const fault = await faultOf(listed(store));
  expect(fault).toBeInstanceOf(StoreFault);
  expect(fault?.message).toContain("a list without an end");
  expect(asked.length).toBeLessThan(150);
});

test("a body without an end is read only as far as it may be long", async () => {
  let sent = 0;
  const { store } = await hostile((_incoming, reply) => {
    const chunk = Buffer.alloc(256 * 1024);
    const more = () => {
      while (!reply.destroyed && reply.write(chunk)) sent += chunk.length;
    };
    reply.on("drain", more);
    more();
  });
  expect((await faultOf(store.get("keys", 1024 * 1024)))?.reason).toBe("unavailable");
  // Six attempts, and what the buffers of the system hold.
  expect(sent).toBeLessThan(100 * 1024 * 1024);
});

test("an object that is too large is refused at once, and not requested again", async () => {
  const { store, asked } = await hostile((_incoming, reply) => void reply.end(Buffer.alloc(1_000_000)));
  expect(await faultOf(store.get("log/a", 100_000))).toMatchObject({
    reason: "refused",
    message: "s3://bucket/prefix/log/a is too large.",
  });
  expect(asked).toHaveLength(1);
});

test.each([301, 302, 303, 307, 308])(
  "a redirect (%i) to an address of the home network is not followed",
  async (status) => {
    const inside = await serve((_incoming, reply) => void reply.end("internal"));
    const { store } = await hostile((_incoming, reply) => {
      reply.writeHead(status, { Location: `${inside.endpoint}/secret` }).end();
    });
    expect((await faultOf(store.get("keys", 1_024)))?.reason).toBe("refused");
    expect(inside.asked).toEqual([]);
  },
);

test("what a store says about an error is shown as one short line", async () => {
  const text = `\u001b[2J\nPostroom: all is well.&#x202e;${"x".repeat(5_000)}`;
  for (const code of ["AuthorizationHeaderMalformed", text]) {
    const xml = `<Error><Code>${code}</Code><Message>${text}</Message></Error>`;
    const { store } = await hostile((_incoming, reply) => void reply.writeHead(400).end(xml));
    const fault = await faultOf(store.get("keys", 100_000));
    expect(fault?.message).toContain("Postroom: all is well.");
    expect(fault?.message).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(fault!.message.length).toBeLessThan(500);
  }
});

test("text of XML is found whatever surrounds it", () => {
  const xml = `<KeyCount>3</KeyCount><Key xmlns="a">x&amp;y</Key><Code></Code><Size>4</Size>`;
  expect(["Key", "Code", "Size", "Region", "Coun"].map((name) => textOf(xml, name))).toEqual([
    "x&y",
    "",
    "4",
    null,
    null,
  ]);
});
