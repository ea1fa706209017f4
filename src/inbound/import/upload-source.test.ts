import { describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { pack } from "tar-stream";
import { type ZippedFile, zipFile } from "../../../test/support/zip-file.ts";
import type { RandomBytes } from "../../wire/archives/random-bytes.ts";
import { readZip } from "../../wire/archives/zip.ts";
import { openUpload } from "./upload-source.ts";

const mail = (subject: string, ...headers: string[]) =>
  [
    ...headers,
    "From: bob@example.net",
    `Subject: ${subject}`,
    `Message-ID: <${subject}@x.example>`,
    "",
    "hello",
    "",
  ].join("\n");
const mbox = (...messages: string[]) => messages.map((text) => `From x Mon Mar  2 09:00:00 2020\n${text}\n`).join("");

/** Bytes that are read in pieces of a few bytes, so that every boundary occurs. */
function bytesOf(content: string | Uint8Array, pieceBytes = 700): RandomBytes {
  const all = Buffer.from(content as string);
  return {
    size: all.length,
    read: async (start, length) => all.subarray(start, start + length),
    async *stream(start = 0, end = all.length) {
      for (let at = start; at < end; at += pieceBytes) yield all.subarray(at, Math.min(at + pieceBytes, end));
    },
  };
}

async function read(content: string | Uint8Array, name = "mail.zip") {
  const source = await openUpload(bytesOf(content), name);
  const found: { folder: string; subject: string; flags: string; labels: string[]; at: number | null }[] = [];
  let done = 0;
  for await (const { source: raw, folder, flags, labels, received_at } of source.messages((bytes) => {
    done = bytes;
  })) {
    found.push({
      folder,
      subject: /^Subject: (.*)$/m.exec(Buffer.from(raw).toString())?.[1] ?? "",
      flags: Object.entries(flags)
        .filter(([, set]) => set)
        .map(([flag]) => flag)
        .join(" "),
      labels,
      at: received_at,
    });
  }
  return { found, unreadable: source.unreadable, whole: done === source.total_bytes };
}
const foldersOf = async (...given: Parameters<typeof read>) =>
  (await read(...given)).found.map(({ folder, subject }) => `${folder}: ${subject}`);
const refusal = async (...given: Parameters<typeof read>) => {
  try {
    await read(...given);
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
  return "";
};

describe("a Takeout archive", () => {
  const takeout: ZippedFile[] = [
    { name: "Takeout/archive_browser.html", content: "<html>" },
    {
      name: "Takeout/Mail/All mail Including Spam and Trash.mbox",
      content: mbox(
        mail("one", "X-Gmail-Labels: Inbox,Unread,Travel"),
        mail("two", "X-Gmail-Labels: Sent"),
        mail("three", "X-Gmail-Labels: Archived,Starred,=?UTF-8?Q?K=C3=BCche?="),
      ),
    },
    { name: "Takeout/Mail/User Settings/Filters.json", content: "{}" },
  ];

  test.each<[string, Buffer]>([
    ["as a zip", zipFile(takeout)],
    ["as a zip with 64-bit sizes", zipFile(takeout, { zip64: true })],
    ["as a zip with sizes after the bytes", zipFile(takeout.map((file) => ({ ...file, descriptor: true })))],
    [
      "as a zip with both",
      zipFile(
        takeout.map((file) => ({ ...file, descriptor: true })),
        { zip64: true },
      ),
    ],
    ["as a zip without compression", zipFile(takeout.map((file) => ({ ...file, stored: true })))],
    ["as a zip with a comment", zipFile(takeout, { comment: "made by a program" })],
  ])("%s is read with its labels", async (_, zip) => {
    const { found, unreadable, whole } = await read(zip);
    expect(found.map(({ folder, subject, flags, labels }) => [folder, subject, flags, labels])).toEqual([
      ["INBOX", "one", "", ["Travel"]],
      ["Sent", "two", "seen", []],
      ["Archive", "three", "seen flagged", ["Küche"]],
    ]);
    expect([unreadable, whole]).toEqual([0, true]);
  });

  test("is read beyond 4 GB without reading what is before", async () => {
    const start = 6 * 1024 ** 3;
    const zip = zipFile(takeout, { zip64: true, start });
    let readBytes = 0;
    const size = start + zip.length;
    // Zeros before the end.
    const read = async (from: number, length: number) => {
      readBytes += length;
      const bytes = Buffer.alloc(length);
      zip.copy(bytes, Math.max(0, start - from), Math.max(0, from - start), Math.max(0, from + length - start));
      return bytes;
    };
    const virtual: RandomBytes = {
      size,
      read,
      async *stream(from = 0, end = size) {
        yield await read(from, end - from);
      },
    };
    const names: string[] = [];
    let text = "";
    for await (const file of readZip(virtual)) {
      names.push(file.name);
      if (file.name.endsWith(".mbox")) for await (const chunk of file.open()) text += Buffer.from(chunk).toString();
    }
    expect(names).toEqual(takeout.map(({ name }) => name));
    expect(text).toContain("Subject: three");
    expect(readBytes).toBeLessThan(200_000);
  });

  test("as a compressed tar archive is read with its labels", async () => {
    const archive = pack();
    for (const { name, content } of takeout) archive.entry({ name }, content as string);
    archive.entry({ name: "Takeout/link.mbox", type: "symlink", linkname: "/etc/passwd" });
    archive.finalize();
    const chunks: Uint8Array[] = [];
    for await (const chunk of archive) chunks.push(chunk as Uint8Array);
    const tar = Buffer.concat(chunks);
    const expected = ["INBOX: one", "Sent: two", "Archive: three"];
    expect(await foldersOf(gzipSync(tar), "takeout.tgz")).toEqual(expected);
    expect(await foldersOf(tar, "takeout.tar")).toEqual(expected);
    expect(await refusal(gzipSync(tar).subarray(0, 300), "takeout.tgz")).toMatch(/^UserError: .*incomplete or damaged/);
    expect(await refusal(gzipSync(tar.subarray(0, 1_700)), "takeout.tgz")).toMatch(
      /^UserError: .*incomplete or damaged/,
    );
  });
});

describe("other files", () => {
  test("an mbox has the folder of its name, also compressed; a single message is archived", async () => {
    expect(await foldersOf(mbox(mail("a"), mail("b")), "Sent.mbox")).toEqual(["Sent: a", "Sent: b"]);
    expect(await foldersOf(gzipSync(mbox(mail("a"))), "Old letters.mbox.gz")).toEqual(["Old letters: a"]);
    expect(await foldersOf(mail("a"), "letter.eml")).toEqual(["Archive: a"]);
  });

  test("a zip of a Maildir has its folders and flags", async () => {
    const { found } = await read(
      zipFile([
        { name: "backup/Maildir/", content: "" },
        { name: "backup/Maildir/cur/1600000000.a.host:2,FS", content: mail("inbox") },
        { name: "backup/Maildir/new/1600000001.b.host", content: mail("new") },
        { name: "backup/Maildir/tmp/1600000002.c.host", content: mail("half") },
        { name: "backup/Maildir/dovecot-uidlist", content: "3 V1" },
        { name: "backup/Maildir/.Archive.2019/cur/x:2,RS", content: mail("old") },
        { name: "backup/Maildir/.Sent/cur/y:2,ST", content: mail("deleted") },
      ]),
    );
    expect(found.map(({ folder, subject, flags }) => [folder, subject, flags])).toEqual([
      ["INBOX", "inbox", "seen flagged"],
      ["INBOX", "new", ""],
      ["Archive/2019", "old", "seen answered"],
      ["Trash", "deleted", "seen"],
    ]);
    expect(found[0]!.at).toBe(1_600_000_000_000);
    expect(await foldersOf(zipFile([{ name: "Maildir/.Sent/cur/y:2,S", content: mail("x") }]))).toEqual(["Sent: x"]);
  });

  test("a zip of messages and of mailboxes of mail programs is read; what is no mail is left out or counted", async () => {
    const { found, unreadable } = await read(
      zipFile([
        { name: "Größe/Brief.eml", content: mail("eml") },
        { name: "broken.eml", content: "\u0000\u0001 no header" },
        { name: "Apple/Work.mbox/mbox", content: mbox(mail("apple")) },
        { name: "Profile/Inbox", content: mbox(mail("thunderbird")) },
        { name: "Profile/Inbox.msf", content: "// <!-- mork -->" },
        { name: "Profile/README", content: "From here on, nothing is mail" },
        { name: "Profile/LICENSE", content: "MIT" },
        { name: "Empty.mbox", content: "" },
        { name: "Wrong.mbox", content: "SQLite format 3" },
        { name: "__MACOSX/._Inbox.mbox", content: "resource" },
      ]),
    );
    expect(found.map(({ folder, subject }) => `${folder}: ${subject}`)).toEqual([
      "Größe: eml",
      "Work: apple",
      "Inbox: thunderbird",
      "README: ",
    ]);
    expect(unreadable).toBe(2);
  });
});

describe("a file that cannot be imported is refused with the reason", () => {
  const letter = { name: "a.eml", content: mail("a") };
  const whole = zipFile([letter, { name: "b.mbox", content: mbox(mail("b")) }]);

  test.each<[string, string | Uint8Array, RegExp]>([
    ["a picture", Buffer.from("\u0089PNG\r\n\u001a\n0000", "latin1"), /is not a mail file\. Choose/],
    ["an Outlook data file", "!BDN0000", /Outlook data file/],
    ["a RAR archive", "Rar!\u001a", /RAR/],
    ["a compressed picture", gzipSync("\u0001\u0002\u0003 no mail"), /is not a mail file/],
    ["an empty zip", zipFile([]), /There is no mail in the zip file/],
    ["a zip without mail", zipFile([{ name: "a.txt", content: "x" }]), /There is no mail in the zip file/],
    ["a zip with a password", zipFile([{ ...letter, encrypted: true }]), /protected with a password/],
    ["a zip with another compression", zipFile([{ ...letter, method: 12 }]), /a\.eml .*compressed with bzip2/],
    ["a zip without its end", whole.subarray(0, whole.length - 40), /incomplete: its end is missing/],
    ["a zip with another checksum", zipFile([{ ...letter, crc: 1 }]), /damaged: the checksum of a\.eml/],
    ["a zip that states a smaller size", zipFile([{ ...letter, size: 4 }]), /damaged/],
    ["a name that leads outside", zipFile([{ ...letter, name: "../../a.eml" }]), /unsafe name/],
    ["an absolute name", zipFile([{ ...letter, name: "/etc/a.eml" }]), /unsafe name/],
    ["a name with a drive", zipFile([{ ...letter, name: "C:/a.eml" }]), /unsafe name/],
  ])("%s", async (_, content, reason) => {
    const text = await refusal(content, "upload");
    expect(text).toStartWith("UserError: ");
    expect(text).toMatch(reason);
  });

  test("a link in a zip is not mail", async () => {
    const link = { name: "a.mbox", content: "/etc/passwd", mode: 0o120777 };
    expect(await refusal(zipFile([link]))).toMatch(/There is no mail in the zip file/);
  });

  test("an archive that expands to much more than mail can is not read to its end", async () => {
    const zeros = Buffer.alloc(100 * 1024 * 1024);
    const bomb = zipFile([{ name: "bomb.mbox", content: Buffer.concat([Buffer.from("From x\nA: b\n\n"), zeros]) }]);
    expect(bomb.length).toBeLessThan(200_000);
    expect(await refusal(bomb)).toMatch(/expands to more than 200 times its size/);
    expect(await refusal(gzipSync(Buffer.concat([Buffer.from("From x\nA: b\n\n"), zeros])), "a.mbox.gz")).toMatch(
      /expands to more than 200 times its size/,
    );
  });

  test("files that share their bytes are refused", async () => {
    const zip = zipFile([{ name: "a.mbox", content: mbox(mail("x".repeat(40_000))), stored: true }]);
    const end = zip.length - 22;
    const start = zip.readUInt32LE(end + 16);
    const directory = zip.subarray(start, end);
    const many = Buffer.concat([
      zip.subarray(0, start),
      ...Array.from({ length: 50 }, () => directory),
      zip.subarray(end),
    ]);
    many.writeUInt16LE(50, many.length - 22 + 8);
    many.writeUInt16LE(50, many.length - 22 + 10);
    expect(await refusal(many)).toMatch(/its files overlap/);
  });
});
